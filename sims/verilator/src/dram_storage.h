// The bytes of the DRAM: what an attacker who unsolders it would read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attacked_memory.h"

namespace hauberk {

class DramStorage final : public AttackedMemory {
 public:
  /** `noiseSeed` 0 leaves zeros; any other value fills the DRAM with noise, as no real DRAM wakes up zeroed. */
  DramStorage(uint64_t base, uint64_t bytes, uint64_t noiseSeed);

  uint64_t base() const override { return base_; }
  uint64_t bytes() const override { return words_.size() * 8; }
  uint8_t byteAt(uint64_t address) const override { return static_cast<uint8_t>(read(address) >> (8 * (address % 8))); }
  void putByte(uint64_t address, uint8_t byte) override {
    write(address, uint64_t{byte} << (8 * (address % 8)), static_cast<uint8_t>(1u << (address % 8)));
  }
  bool contains(uint64_t address) const { return address >= base_ && address - base_ < bytes(); }

  /** The aligned 64-bit word around `address`, little-endian. */
  uint64_t read(uint64_t address) const { return words_[(address - base_) / 8]; }

  /** Writes the bytes of `data` whose bit is set in `strobe`; returns the word as it stands afterwards. */
  uint64_t write(uint64_t address, uint64_t data, uint8_t strobe);

  /** Copies a file to `address`. Throws UserError when it is missing or goes beyond the DRAM. */
  void load(const std::string& path, uint64_t address);
  void dump(const std::string& path) const;

 private:
  uint64_t base_;
  std::vector<uint64_t> words_;
};

}  // namespace hauberk
