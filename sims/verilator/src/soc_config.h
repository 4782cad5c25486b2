// What elaboration says about the SoC in <CONFIG>.json, as far as a harness needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bus.h"
#include "metadata_map.h"

namespace hauberk {

struct SocConfig {
  std::string name;
  uint64_t cores = 1;
  uint64_t dramBase = 0;
  uint64_t dramBytes = 0;
  uint64_t dataBytes = 0;  // the rest of the DRAM, behind the data, is the protector's metadata
  bool isProtected = false;
  bool hasLastLevelCache = false;
  MetadataMap metadata;
  std::optional<BusConfig> bus;  // the shared bus between the tiles and the system bus, if there is one

  /** Throws UserError when the file is missing or does not make sense. */
  static SocConfig read(const std::string& path);
};

}  // namespace hauberk
