// Who sends what: every member on each of its channels, at random, to whom it may.
#pragma once

#include <cstdint>

#include "random.h"
#include "pins.h"
#include "scheme.h"

namespace hauberk::bus {

/** How busy the members are; drawn anew for each victim. */
struct Load {
  uint32_t idleOneIn = 8;   // a port without a message finds one every so many cycles, in the mean
  uint32_t stallOneIn = 0;  // a receiver is not ready one cycle in so many, 0: always ready
  uint32_t dataOneIn = 2;   // messages with data
  bool constant = false;    // equal data all the time
};

class Traffic {
 public:
  Traffic(const Scheme& scheme, uint64_t seed) : scheme_(scheme), random_(seed) {}

  Load load;
  bool on = false;
  uint64_t begun = 0;  // messages
  uint64_t most = ~uint64_t{0};

  /** Sends this one next; the port must be free. */
  void post(unsigned member, unsigned channel, const Message& message);
  bool busy(unsigned member, unsigned channel) const { return ports_[member][channel].valid; }
  /** Nothing waits to be sent. */
  bool idle() const;
  void clear();
  void draw();

  void drive(Inputs& inputs);
  void accepted(unsigned member, unsigned channel) { ports_[member][channel].valid = false; }
  /** What waits to be sent, to be put back later; what comes by chance does not come again. */
  using Ports = std::array<std::array<SendPort, kChannels>, kMembers>;
  const Ports& ports() const { return ports_; }
  void restore(const Ports& ports) { ports_ = ports; }
  const Message& message(unsigned member, unsigned channel) const { return ports_[member][channel].message; }
  /** A message this member could send now, with so many beats of data. */
  Message any(unsigned member, unsigned beats);

 private:
  const Scheme& scheme_;
  Random random_;
  Ports ports_;
};

}  // namespace hauberk::bus
