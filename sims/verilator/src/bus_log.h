// What somebody reads off the wires of the shared bus: a line for each frame that all members took.
#pragma once

#include <cstdint>
#include <string>

#include "log_file.h"
#include "shared_bus.h"

namespace hauberk {

class BusLog : public LogFile {
 public:
  explicit BusLog(const std::string& path) : LogFile("frames", path) {}

  void note(uint64_t cycle, const BusBeat& beat);
};

}  // namespace hauberk
