// Where the SoC's serial output goes: the terminal, line by line, and a log file byte for byte.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace hauberk {

class Uart {
 public:
  /** An empty path means no log. Throws UserError when the log cannot be written. */
  explicit Uart(const std::string& logPath);
  ~Uart();

  void put(uint8_t byte);

 private:
  std::ofstream log_;
};

}  // namespace hauberk
