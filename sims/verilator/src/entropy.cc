#include "entropy.h"

#include <sys/random.h>

#include "user_error.h"

namespace hauberk {

EntropySource::EntropySource(std::optional<uint64_t> seed) {
  if (seed) generator_.emplace(*seed);
  word_ = draw();
}

std::optional<uint64_t> EntropySource::another(std::optional<uint64_t> seed, int number) {
  if (!seed) return seed;
  Random seeds(~*seed);
  for (; number > 1; number--) seeds.next();
  return seeds.next();
}

uint64_t EntropySource::draw() {
  if (generator_) return generator_->next();
  uint64_t word = 0;
  if (getrandom(&word, sizeof word, 0) != sizeof word) {
    throw UserError("the host gives no random numbers: name a seed with --entropy-seed");
  }
  return word;
}

void EntropySource::taken() {
  used_.push_back(word_);
  word_ = draw();
}

}  // namespace hauberk
