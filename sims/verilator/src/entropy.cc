#include "entropy.h"

#include <sys/random.h>

#include "user_error.h"

namespace hauberk {

EntropySource::EntropySource(std::optional<uint64_t> seed) {
  if (seed) generator_.emplace(*seed);
  word_ = draw();
}

std::optional<uint64_t> EntropySource::second(std::optional<uint64_t> seed) {
  if (!seed) return seed;
  return Random(~*seed).next();
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
