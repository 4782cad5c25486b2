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

  /** From now on the log is another file, which begins with what the log holds; for a process that was forked. Throws
   * UserError when it cannot be written.
   */
  void moveLog(const std::string& logPath);

  void put(uint8_t byte);
  /** Ends the log. Throws UserError if it does not hold all that was put. */
  void close();
  /** Nothing that was put is kept from terminal and log any longer. */
  void flush();

 private:
  bool atOnce_;
  std::string logPath_;
  std::ofstream log_;
};

}  // namespace hauberk
