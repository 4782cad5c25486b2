// What is typed for the SoC's serial console: bytes of a file descriptor, as soon as they are there.
#pragma once

#include <termios.h>

#include <cstdint>
#include <optional>

namespace hauberk {

class UartInput {
 public:
  /** Nothing ever comes of a descriptor of -1. A terminal shows what the SoC echoes, and not what is typed, as long as
   * this is there. */
  explicit UartInput(int descriptor);
  ~UartInput();
  UartInput(const UartInput&) = delete;
  UartInput& operator=(const UartInput&) = delete;

  /** The byte that waits for the SoC in this cycle, if any; the same until it was taken. */
  std::optional<uint8_t> offered();
  void taken() { waiting_.reset(); }

 private:
  // To look costs a system call
  static constexpr uint64_t kCyclesPerLook = 1000;

  int descriptor_;
  uint64_t cycles_ = 0;
  std::optional<uint8_t> waiting_;
  std::optional<termios> before_;
};

}  // namespace hauberk
