// The probe on the DRAM bus that looks for plaintext while the program runs, not only in the dump at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hauberk {

/** Counts written 64-bit words that equal the non-zero word of a known plaintext at the same address. */
class PlaintextWatch {
 public:
  PlaintextWatch() = default;
  /** `path`: the plaintext as raw bytes, the first of which belongs at address `base`. */
  PlaintextWatch(const std::string& path, uint64_t base);

  /** `word` is the aligned 64-bit word at `address` as it stands in DRAM after a write. */
  void written(uint64_t address, uint64_t word) {
    const uint64_t index = (address - base_) / 8;
    if (index < plaintext_.size() && word != 0 && word == plaintext_[index]) count_++;
  }
  bool active() const { return !plaintext_.empty(); }
  uint64_t count() const { return count_; }

 private:
  uint64_t base_ = 0;
  std::vector<uint64_t> plaintext_;
  uint64_t count_ = 0;
};

}  // namespace hauberk
