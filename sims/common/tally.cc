#include "tally.h"

namespace hauberk {

std::string nameOf(Expected expected) {
  switch (expected) {
    case Expected::Detected:
    case Expected::Noticed:
      return "detected";
    case Expected::NotClaimed:
      return "not claimed";
    default:
      return "harmless";
  }
}

void Tally::count(Outcome outcome, uint64_t weight) {
  attempts += weight;
  if (outcome == Outcome::Missed) {
    missed++;
  } else if (outcome == Outcome::Harmless) {
    harmless += weight;
  } else if (expected == Expected::Peace) {
    falseAlarms++;
  } else {
    detected++;
  }
}

bool Tally::met() const {
  if (!complaint.empty() && expected != Expected::NotClaimed) return false;
  switch (expected) {
    case Expected::Detected:
      return missed == 0 && harmless == 0 && detected > 0;
    case Expected::Noticed:
      return missed == 0 && detected > 0;
    case Expected::NotClaimed:
      return missed > 0;
    default:
      return missed == 0 && falseAlarms == 0 && attempts > 0;
  }
}

}  // namespace hauberk
