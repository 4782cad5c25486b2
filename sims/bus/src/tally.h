// What came of the attempts of a row, and whether that is as it must be.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace hauberk::bus {

enum class Expected {
  Detected,   // every attempt is noticed
  Harmless,   // no attempt makes anything false pass; noticing it is as good
  Peace,      // nobody attacks: nothing false, and any alarm is false
  NotClaimed  // the scheme does not claim it: attempts must be seen to succeed
};

std::string nameOf(Expected expected);

struct Tally {
  std::string attackClass, variant;
  Expected expected = Expected::Detected;
  uint64_t attempts = 0, detected = 0, missed = 0, harmless = 0, falseAlarms = 0;
  uint64_t worstTransfers = 0, worstBusCycles = 0;  // from the first false beat to the alarm
  std::map<unsigned, uint64_t> causes;              // of the alarms
  uint64_t cycles = 0;                              // simulated for this row
  std::string complaint;                            // of the first miss

  /** Whether what was expected came. */
  bool met() const;
};

}  // namespace hauberk::bus
