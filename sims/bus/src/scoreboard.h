// What every member must hear, on each channel and of each group in order; and what it heard.
#pragma once

#include <cstdint>
#include <deque>

#include "pins.h"

namespace hauberk::bus {

class Scoreboard {
 public:
  void sent(unsigned from, unsigned channel, const Message& message);
  void heard(unsigned at, unsigned channel, const Message& message);
  /** Sent and not heard yet. */
  uint64_t missing() const { return sent_ - right; }
  uint64_t right = 0;
  /** Heard, and not what was next to be heard. */
  uint64_t wrong = 0;

 private:
  uint64_t sent_ = 0;
  std::deque<Message> expected_[kMembers][kChannels][kMostGroups];
};

}  // namespace hauberk::bus
