// Somebody between the chip and its memory, whose model asks it about every burst.
#pragma once

#include <cstdint>

namespace hauberk {

/** Cycles that do not end. */
constexpr uint64_t kForEver = ~uint64_t{0};

class MemoryInterposer {
 public:
  virtual ~MemoryInterposer() = default;

  /** The cell that is reached when the chip asks for `address`. */
  virtual uint64_t route(uint64_t address) = 0;

  /** Whether a write to `address` is acknowledged but not stored. */
  virtual bool loses(uint64_t address) = 0;

  /** Cycles by which the answer to a read of `address` is late. */
  virtual uint64_t delay(uint64_t address) = 0;

  /** Cycles by which the answer to a read of so many bytes is late while those to other identifiers pass it, or
   * kForEver. */
  virtual uint64_t hold(uint64_t address, uint64_t bytes) = 0;
};

}  // namespace hauberk
