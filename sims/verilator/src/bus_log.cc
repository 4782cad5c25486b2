#include "bus_log.h"

#include <cstdio>

namespace hauberk {

namespace {

/** A little-endian number of words, in hexadecimal. */
template <typename Words>
std::string hex(const Words& words) {
  std::string text = "0x";
  for (size_t i = words.size(); i-- > 0;) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", words[i]);
    text += digits;
  }
  return text;
}

}  // namespace

void BusLog::note(uint64_t cycle, const BusBeat& beat) {
  stream() << cycle;
  for (unsigned field : {beat.kind, beat.group, beat.source, beat.destination, beat.channel}) stream() << ' ' << field;
  stream() << ' ' << beat.hasData << ' ' << beat.last << ' ' << hex(beat.command) << ' ' << hex(beat.data) << '\n';
}

}  // namespace hauberk
