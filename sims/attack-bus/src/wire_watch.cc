#include "wire_watch.h"

namespace hauberk::bus {

void WireWatch::sent(const BeatData& cipher, const uint32_t* plain) {
  for (unsigned lane = 0; lane < scheme_.lanes(); lane++) {
    uint32_t mask[4];
    for (unsigned i = 0; i < 4; i++) mask[i] = cipher[4 * lane + i] ^ plain[4 * lane + i];
    if ((mask[0] | mask[1]) == 0) inTheClear++;
    const uint64_t half = uint64_t{mask[2]} << 32 | mask[3];
    if (seen_.insert(half).second) {
      sinceMark_.push_back(half);
    } else {
      reused++;
    }
  }
}

void WireWatch::mark() {
  sinceMark_.clear();
  inTheClear = reused = 0;
}

void WireWatch::back() {
  for (uint64_t half : sinceMark_) seen_.erase(half);
  mark();
}

}  // namespace hauberk::bus
