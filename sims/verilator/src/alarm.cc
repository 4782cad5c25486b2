#include "alarm.h"

#include <iterator>

#include "registers.h"

namespace hauberk {

std::string Alarm::name() const {
  static const char* const kNames[] = PROTECTOR_ALARM_CAUSE_NAMES;
  return cause < std::size(kNames) ? kNames[cause] : "unknown";
}

}  // namespace hauberk
