#include "uart.h"

#include <cstdio>
#include <filesystem>

#include "user_error.h"

namespace hauberk {

Uart::Uart(const std::string& logPath, bool atOnce) : atOnce_(atOnce), logPath_(logPath) {
  if (logPath.empty()) return;
  log_.open(logPath, std::ios::binary);
  if (!log_) throw UserError("cannot write the UART log " + logPath);
}

Uart::~Uart() { std::fflush(stdout); }

void Uart::flush() {
  std::fflush(stdout);
  log_.flush();
}

void Uart::close() {
  if (!log_.is_open()) return;
  log_.close();
  if (!log_) throw UserError("the UART log " + logPath_ + " is not whole: name a file in a folder that has room");
}

void Uart::moveLog(const std::string& logPath) {
  if (logPath_.empty()) return;
  std::error_code failed;
  std::filesystem::copy_file(logPath_, logPath, std::filesystem::copy_options::overwrite_existing, failed);
  log_.close();
  log_.open(logPath, std::ios::binary | std::ios::app);
  if (failed || !log_) throw UserError("cannot write the UART log " + logPath);
  logPath_ = logPath;
}

void Uart::put(uint8_t byte) {
  std::fputc(byte, stdout);
  if (byte == '\n' || atOnce_) std::fflush(stdout);
  if (!log_.is_open()) return;
  log_.put(static_cast<char>(byte));
  if (byte == '\n') log_.flush();
}

}  // namespace hauberk
