#include "uart_input.h"

#include <poll.h>
#include <unistd.h>

namespace hauberk {

UartInput::UartInput(int descriptor) : descriptor_(descriptor) {
  termios settings;
  if (descriptor_ < 0 || tcgetattr(descriptor_, &settings) != 0) return;
  before_ = settings;
  settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  tcsetattr(descriptor_, TCSANOW, &settings);
}

UartInput::~UartInput() {
  if (before_) tcsetattr(descriptor_, TCSANOW, &*before_);
}

std::optional<uint8_t> UartInput::offered() {
  if (waiting_ || descriptor_ < 0 || cycles_++ % kCyclesPerLook != 0) return waiting_;
  pollfd look = {descriptor_, POLLIN, 0};
  if (poll(&look, 1, 0) != 1) return waiting_;
  uint8_t byte;
  if (read(descriptor_, &byte, 1) == 1) {
    waiting_ = byte;
  } else {
    descriptor_ = -1;  // there will be no more
  }
  return waiting_;
}

}  // namespace hauberk
