// How a run ends, from the value software wrote to the `sifive,test0` finisher.
#pragma once

#include <cstdint>
#include <string>

#include "exit_codes.h"

namespace hauberk {

struct Finish {
  int exitCode = 0;
  std::string explanation;  // empty when there is nothing to add to the exit code
};

constexpr uint32_t kFinisherPass = 0x5555;
constexpr uint32_t kFinisherFail = 0x3333;
constexpr uint32_t kFinisherReset = 0x7777;
constexpr int kBootRefused = 0xb0;   // bootrom/platform.h
constexpr int kTrappedEarly = 0xb1;  // bootrom/platform.h

inline Finish decodeFinish(uint32_t value) {
  const uint32_t status = value & 0xffff;
  const uint32_t code = value >> 16;
  switch (status) {
    case kFinisherPass:
      return {0, ""};
    case kFinisherFail:
      if (code == kBootRefused) {
        return {kBootRefused,
                "the boot ROM refused to start: the wrapped key does not unwrap under this device key, or the "
                "protector raised its alarm (is the package made for this device?)"};
      }
      if (code == kTrappedEarly) {
        return {kTrappedEarly,
                "the program trapped before it set mtvec, so that the boot ROM met the trap: set mtvec first, or find "
                "what traps with the waves of run-binary-debug (an access to memory that tampering made unreadable "
                "traps, too)"};
      }
      if ((code & 0xff) == 0) return {1, "the program failed with a code whose low eight bits are zero"};
      return {static_cast<int>(code & 0xff), ""};
    case kFinisherReset:
      return {kExitReset, "the program asked for a reset, which this simulator does not do"};
    default:
      return {kExitReset, "the program wrote a value to the finisher that means neither pass, fail nor reset"};
  }
}

}  // namespace hauberk
