#include "traffic.h"

#include <stdexcept>

namespace hauberk::bus {

void Traffic::post(unsigned member, unsigned channel, const Message& message) {
  if (busy(member, channel)) throw std::runtime_error("the bench posts a message on a port that has one");
  ports_[member][channel] = {true, message};
}

bool Traffic::idle() const {
  for (const auto& member : ports_) {
    for (const SendPort& port : member) {
      if (port.valid) return false;
    }
  }
  return true;
}

void Traffic::clear() { ports_ = {}; }

void Traffic::draw() {
  load.idleOneIn = random_.oneIn(3) ? 1 + random_.below(4) : 4 + random_.below(100);
  load.stallOneIn = random_.oneIn(2) ? 0 : 1 + random_.below(3);
  load.dataOneIn = 2 + random_.below(2);
  load.constant = false;
}

Message Traffic::any(unsigned member, unsigned beats) {
  Message message;
  message.peer = member == kHome ? static_cast<uint8_t>(1 + random_.below(kMembers - 1)) : kHome;
  do {
    message.group = static_cast<uint8_t>(random_.below(static_cast<uint32_t>(scheme_.groups.size())));
  } while (!scheme_.belongs(member, message.group) || !scheme_.belongs(message.peer, message.group));
  message.command = random_.next() >> (64 - kCommandBits);
  message.beats = static_cast<uint8_t>(beats);
  for (unsigned word = 0; word < beats * scheme_.beatWords; word++) {
    message.data[word] = load.constant ? 0x5a5a5a5a : static_cast<uint32_t>(random_.next());
  }
  return message;
}

void Traffic::drive(Inputs& inputs) {
  for (unsigned member = 0; member < kMembers; member++) {
    for (unsigned channel = 0; channel < kChannels; channel++) {
      inputs.receiveReady[member][channel] = load.stallOneIn == 0 || !random_.oneIn(load.stallOneIn + 1);
      SendPort& port = ports_[member][channel];
      if (!port.valid && on && begun < most && sends(member, channel) && random_.oneIn(load.idleOneIn)) {
        const unsigned beats = random_.oneIn(load.dataOneIn) ? 1 + random_.below(scheme_.lineBeats) : 0;
        port = {true, any(member, beats)};
        begun++;
      }
      inputs.send[member][channel] = port;
    }
  }
}

}  // namespace hauberk::bus
