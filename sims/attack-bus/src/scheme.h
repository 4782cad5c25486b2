// A bus as the bench meets it: its geometry and what it claims; written by EmitBuses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hauberk::bus {

struct Scheme {
  std::string name;
  unsigned beatWords = 0;
  unsigned lineBeats = 0;
  unsigned ratio = 0;           // cycles in a bus cycle
  unsigned groupEntries = 0;    // of the group information table; none in the clear
  std::vector<uint8_t> groups;  // the members of each group, as bits
  uint32_t interval = 0;
  uint32_t window = 0;
  uint32_t heartbeat = 0;
  uint32_t timeout = 0;

  bool secrecy = false;         // nobody learns data from the wires
  bool integrity = false;       // of data and their senders
  bool commands = false;        // of commands, destinations and channels, too
  bool masksPerSender = false;  // no mask is used twice, whatever is done to the shared bus

  bool belongs(unsigned member, unsigned group) const { return groups[group] >> member & 1; }
  unsigned lanes() const { return beatWords / 4; }

  /** Throws std::runtime_error with the field that is wrong. */
  static Scheme read(const std::string& path);
};

}  // namespace hauberk::bus
