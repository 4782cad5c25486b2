#include "scoreboard.h"

namespace hauberk::bus {

void Scoreboard::sent(unsigned from, unsigned channel, const Message& message) {
  Message expected = message;
  expected.peer = static_cast<uint8_t>(from);
  expected_[message.peer][channel][message.group].push_back(expected);
  sent_++;
}

void Scoreboard::received(unsigned at, unsigned channel, const Message& message) {
  std::deque<Message>& expected = expected_[at][channel][message.group];
  if (expected.empty() || !(expected.front() == message)) {
    wrong++;
    return;
  }
  expected.pop_front();
  right++;
}

}  // namespace hauberk::bus
