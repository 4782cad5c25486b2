#include "bus.h"

#include <iterator>

#include "registers.h"

namespace hauberk {

BusConfig BusConfig::read(const JsonFile& file) {
  BusConfig bus;
  bus.members = file.number("members");
  bus.ratio = file.number("ratio");
  bus.widthBits = file.number("widthBits");
  bus.secured = file.flag("secured");
  bus.pads = file.has("pads");
  return bus;
}

std::string BusAlarm::name() const {
  static const char* const kNames[] = BUS_MEMBER_ALARM_NAMES;
  return cause < std::size(kNames) ? kNames[cause] : "unknown";
}

}  // namespace hauberk
