#include "bus.h"

#include <iterator>

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
  static const char* const kNames[] = {"none",           "own PID",           "MAC mismatch",  "out of turn",
                                       "silent",         "overrun",           "other",         "collision",
                                       "no package key", "counter exhausted", "malformed data"};
  return cause < std::size(kNames) ? kNames[cause] : "unknown";
}

}  // namespace hauberk
