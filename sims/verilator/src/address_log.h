// What somebody reads off the address pins of the DRAM: a line for each request.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace hauberk {

/** A request as the DRAM took it. */
struct SeenRequest {
  uint64_t cycle;
  uint64_t address;
  uint64_t bytes;
  uint32_t id;
  bool write;
};

class AddressLog {
 public:
  /** Throws UserError if the file cannot be written; keeps no log without a path. */
  explicit AddressLog(const std::string& path) { moveTo(path); }

  bool active() const { return file_.is_open(); }
  void note(const SeenRequest& request);
  void flush() { file_.flush(); }
  /** From now on into this file, which has no earlier requests. */
  void moveTo(const std::string& path);
  /** Throws UserError if what was noted is not all in the file. */
  void close();

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace hauberk
