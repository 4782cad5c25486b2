// A small deterministic generator for DRAM noise and reproducible runs; nothing secret is drawn from it by default.
#pragma once

#include <cstdint>

namespace hauberk {

/** SplitMix64 (Steele, Lea, Flood 2014). */
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace hauberk
