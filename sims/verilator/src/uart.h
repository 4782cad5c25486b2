// Where the SoC's serial output goes: the terminal, line by line, and a log file byte for byte.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace hauberk {

class Uart {
 public:
  /** An empty path means no log. `atOnce` is for whoever types: a prompt has no end of line. Throws UserError when the
   * log cannot be written.
   */
  Uart(const std::string& logPath, bool atOnce);
  ~Uart();

  void put(uint8_t byte);

 private:
  bool atOnce_;
  std::ofstream log_;
};

}  // namespace hauberk
