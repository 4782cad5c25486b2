// What came of the attempts of a row, and whether that is as it must be.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hauberk {

/** What came of an attempt. */
enum class Outcome {
  NoEffect,  // nothing false reached the hardware: not an attempt
  Harmless,  // something false reached it, nobody noticed, and nothing false passed for true
  Detected,  // noticed as the hardware promises: denied, or an alarm
  Missed     // something false passed for true, or the alarm came too late
};

enum class Expected {
  Detected,   // every attempt is noticed
  Noticed,    // every attempt is noticed whose falsehood comes to be used, for some of it belongs to others' blocks
  Harmless,   // no attempt makes anything false pass; noticing it is as good
  Peace,      // nobody attacks: nothing false, and any alarm is false
  NotClaimed  // the scheme does not claim it: attempts must be seen to succeed
};

/** As rows of results say it: Noticed is "detected", Peace is "harmless". */
std::string nameOf(Expected expected);

inline Expected noticedIf(bool claimed) { return claimed ? Expected::Noticed : Expected::NotClaimed; }
inline Expected detectedIf(bool claimed) { return claimed ? Expected::Detected : Expected::NotClaimed; }
inline Expected harmlessIf(bool claimed) { return claimed ? Expected::Harmless : Expected::NotClaimed; }

struct Tally {
  std::string attackClass, variant;
  Expected expected = Expected::Detected;
  uint64_t attempts = 0, detected = 0, missed = 0, harmless = 0, falseAlarms = 0;
  uint64_t worstTransfers = 0, worstBusCycles = 0;  // of a bus, from the first false beat to the alarm
  std::optional<uint64_t> leakedBits;               // by addresses, before the alarm: at worst
  std::optional<uint64_t> alarmAfter;               // cycles from the first beat that was used unverified: at worst
  std::map<unsigned, uint64_t> causes;              // of a bus's alarms
  uint64_t cycles = 0;                              // simulated for this row
  std::string complaint;                            // of the first rule that was broken, or the first miss

  /** Counts an attempt that had an effect, or as many of them as `weight` says. */
  void count(Outcome outcome, uint64_t weight);

  /** Whether what was expected came. */
  bool met() const;
};

}  // namespace hauberk
