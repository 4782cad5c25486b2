#include "uart.h"

#include <cstdio>

#include "user_error.h"

namespace hauberk {

Uart::Uart(const std::string& logPath, bool atOnce) : atOnce_(atOnce) {
  if (logPath.empty()) return;
  log_.open(logPath, std::ios::binary);
  if (!log_) throw UserError("cannot write the UART log " + logPath);
}

Uart::~Uart() { std::fflush(stdout); }

void Uart::put(uint8_t byte) {
  std::fputc(byte, stdout);
  if (byte == '\n' || atOnce_) std::fflush(stdout);
  if (!log_.is_open()) return;
  log_.put(static_cast<char>(byte));
  if (byte == '\n') log_.flush();
}

}  // namespace hauberk
