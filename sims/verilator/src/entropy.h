// The SoC's entropy source. A run can be repeated from its seed; without one the words come from the host's kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "random.h"

namespace hauberk {

class EntropySource {
 public:
  explicit EntropySource(std::optional<uint64_t> seed);

  /** The seed of another source, 1 or higher, whose words have nothing to do with those of the first of this seed. */
  static std::optional<uint64_t> another(std::optional<uint64_t> seed, int number);

  /** The word offered to the SoC. */
  uint64_t word() const { return word_; }
  /** The SoC took the word: it is recorded, and the next one stands ready. */
  void taken();
  const std::vector<uint64_t>& used() const { return used_; }

 private:
  uint64_t draw();

  std::optional<Random> generator_;
  uint64_t word_ = 0;
  std::vector<uint64_t> used_;
};

}  // namespace hauberk
