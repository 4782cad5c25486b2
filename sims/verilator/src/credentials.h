// What instruction decryption needs from outside the SoC: the processor's secret, in its fuses, and the user's token.
#pragma once

#include <optional>
#include <string>

#include "package.h"

namespace hauberk {

struct Credential {
  Key128 secret{};
  Key128 check{};
};

struct Credentials {
  std::optional<Key128> processorSecret;
  std::optional<Credential> token;

  /** Those of a file that `hauberk-seal` wrote, or none if `path` is empty. Throws UserError. */
  static Credentials read(const std::string& path);
};

}  // namespace hauberk
