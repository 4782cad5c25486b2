// Why a protector raised its alarm: the codes of its cause register (hauberk.memory.common.AlarmCause) and what they
// mean.
#pragma once

#include <cstdint>
#include <string>

namespace hauberk {

struct Alarm {
  bool raised = false;
  uint64_t cause = 0;
  uint64_t address = 0;  // bus address of the access that raised it

  /** The protector serves nobody any more. */
  bool halted = false;

  /** The cause as a run record names it. */
  std::string name() const;
};

}  // namespace hauberk
