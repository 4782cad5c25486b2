#include "tally.h"

namespace hauberk::bus {

std::string nameOf(Expected expected) {
  switch (expected) {
    case Expected::Detected:
      return "detected";
    case Expected::NotClaimed:
      return "not claimed";
    default:
      return "harmless";
  }
}

bool Tally::met() const {
  switch (expected) {
    case Expected::Detected:
      return missed == 0 && harmless == 0 && detected > 0;
    case Expected::NotClaimed:
      return missed > 0;
    default:
      return missed == 0 && falseAlarms == 0 && attempts > 0;
  }
}

}  // namespace hauberk::bus
