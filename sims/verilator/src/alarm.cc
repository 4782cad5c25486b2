#include "alarm.h"

namespace hauberk {

std::string Alarm::name() const {
  static const char* const kNames[] = {"none",           "not armed",      "outside the data",  "counter overflow",
                                       "metadata error", "block mismatch", "metadata mismatch", "log mismatch"};
  return cause < std::size(kNames) ? kNames[cause] : "unknown";
}

}  // namespace hauberk
