// What every member must receive, on each channel and of each group in order; and what it received.
#pragma once

#include <cstdint>
#include <deque>

#include "pins.h"

namespace hauberk::bus {

class Scoreboard {
 public:
  void sent(unsigned from, unsigned channel, const Message& message);
  void received(unsigned at, unsigned channel, const Message& message);
  /** Sent and not received yet. */
  uint64_t missing() const { return sent_ - right; }
  uint64_t right = 0;
  /** Received, and not what was next to be received. */
  uint64_t wrong = 0;

 private:
  uint64_t sent_ = 0;
  std::deque<Message> expected_[kMembers][kChannels][kMostGroups];
};

}  // namespace hauberk::bus
