// Where the metadata of a block of data lie in external memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attack_script.h"
#include "metadata_array.h"

namespace hauberk {

struct MemoryPlace {
  uint64_t address = 0;
  uint64_t bytes = 0;

  bool operator==(const MemoryPlace& other) const { return address == other.address && bytes == other.bytes; }
};

/** As `BankAddresses` of the generator: a bank holds the addresses whose bank-select bits are its number. */
struct Bank {
  uint64_t base = 0;
  uint64_t bytes = 0;
  uint64_t selectMask = 0;
  uint64_t select = 0;

  bool contains(uint64_t address) const { return (address & selectMask) == select; }
  uint64_t toLocal(uint64_t address) const;
  uint64_t toGlobal(uint64_t local) const;
};

class MetadataMap {
 public:
  MetadataMap() = default;
  /** Of a memory of so many bytes from `base` on, with blocks of `blockBytes`. */
  MetadataMap(uint64_t base, uint64_t bytes, std::vector<Bank> banks, std::vector<MetadataArray> arrays,
              uint64_t blockBytes = 64);

  /** What a replay puts back, or a hold holds. Throws UserError when the scheme keeps no such metadata, or none of so
   * high an address.
   */
  std::vector<MemoryPlace> places(const AttackScript& script) const;

 private:
  std::vector<MemoryPlace> metadataOf(const AttackScript& script) const;

  uint64_t base_ = 0, bytes_ = 0, blockBytes_ = 64;
  std::vector<Bank> banks_;
  std::vector<MetadataArray> arrays_;
};

}  // namespace hauberk
