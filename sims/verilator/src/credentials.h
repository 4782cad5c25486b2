// What the SoC has of its own or of its user: the secrets of its fuses that instruction decryption and secure contexts
// need, and the user's token.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "package.h"

namespace hauberk {

/** Of secure contexts: 256 bits, the most significant byte first. */
using ContextSecret = std::array<uint8_t, 32>;

struct Credential {
  Key128 secret{};
  Key128 check{};
};

struct Credentials {
  std::optional<Key128> processorSecret;
  std::optional<Credential> token;
  std::optional<ContextSecret> contextSecret;

  /** Those of a file (docs/formats.md), or none if `path` is empty. Throws UserError. */
  static Credentials read(const std::string& path);
};

}  // namespace hauberk
