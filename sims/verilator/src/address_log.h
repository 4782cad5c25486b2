// What somebody reads off the address pins of the DRAM: a line for each request.
#pragma once

#include <cstdint>
#include <string>

#include "log_file.h"

namespace hauberk {

/** A request as the DRAM took it. */
struct SeenRequest {
  uint64_t cycle;
  uint64_t address;
  uint64_t bytes;
  uint32_t id;
  bool write;
};

class AddressLog : public LogFile {
 public:
  explicit AddressLog(const std::string& path) : LogFile("addresses", path) {}

  void note(const SeenRequest& request);
};

}  // namespace hauberk
