// The bytes of external memory, to whoever attacks them.
#pragma once

#include <cstdint>

namespace hauberk {

class AttackedMemory {
 public:
  virtual ~AttackedMemory() = default;

  virtual uint64_t base() const = 0;
  virtual uint64_t bytes() const = 0;

  /** The byte at an address of this memory. */
  virtual uint8_t byteAt(uint64_t address) const = 0;
  virtual void putByte(uint64_t address, uint8_t byte) = 0;

  /** Whether so many bytes, at least one, from `address` on are of this memory. */
  bool holds(uint64_t address, uint64_t count) const {
    return address >= base() && address - base() < bytes() && count <= bytes() - (address - base());
  }
};

}  // namespace hauberk
