// What the wires give away: data in the clear, and masks that hide two things.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "pins.h"
#include "scheme.h"

namespace hauberk::bus {

class WireWatch {
 public:
  explicit WireWatch(const Scheme& scheme) : scheme_(scheme) {}

  /** These data left their sender as `cipher`. */
  void sent(const BeatData& cipher, const uint32_t* plain);

  uint64_t inTheClear = 0;
  /** Masks that had been used before: whoever has both ciphertexts has the sum of both data. */
  uint64_t reused = 0;
  uint64_t masks() const { return seen_.size(); }

  /** Forgets what came after the last mark: it will not have happened. */
  void mark();
  void back();

 private:
  const Scheme& scheme_;
  std::unordered_set<uint64_t> seen_;  // half of a mask is enough to know it by
  std::vector<uint64_t> sinceMark_;
};

}  // namespace hauberk::bus
