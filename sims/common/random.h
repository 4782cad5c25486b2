// SplitMix64 (Steele, Lea, Flood 2014), with the draws that simulators need.
#pragma once

#include <cstdint>

namespace hauberk {

/** A small deterministic generator: the same draws from the same seed on every machine. Nothing secret is drawn from it
 * by default. */
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>((next() >> 32) * bound >> 32); }
  bool oneIn(uint32_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace hauberk
