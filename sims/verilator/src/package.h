// The program package a vendor ships: a DRAM image and the boot header that goes with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "soc_config.h"

namespace hauberk {

using Key128 = std::array<uint8_t, 16>;

struct Package {
  std::string imagePath;
  uint64_t entry = 0;
  std::array<uint64_t, 3> wrappedKey{};  // RFC 3394 output; zero when the SoC has no protector
  uint64_t imageBlocks = 0;              // blocks the package brings to each engine's bank
  std::string tagsPath;                  // the tags of those blocks; empty when the scheme has none
  uint64_t tagsBase = 0;                 // where they go in DRAM

  /** Reads and checks a boot header against the SoC. Throws UserError. */
  static Package read(const std::string& imagePath, const std::string& headerPath, const SocConfig& soc);
};

/** A 128-bit key given as hexadecimal digits; `what` names it in the error. Throws UserError. */
Key128 keyFromHex(const std::string& hex, const std::string& what);

/** The 128-bit device key given as hexadecimal digits. Throws UserError. */
Key128 deviceKeyFromHex(const std::string& hex);

/** The key of the first group of the tiles' bus that the package maker left there; only where tiles encrypt for memory.
 */
std::optional<Key128> developmentBusKey(const std::string& packagePath);

/** The development device key that the package maker left in the vendor's half of the package, if it is there. */
std::optional<Key128> developmentDeviceKey(const std::string& packagePath);

}  // namespace hauberk
