// Somebody between the SoC and its DRAM. The DRAM model asks it about every burst.
#pragma once

#include <cstdint>

namespace hauberk {

class BusInterposer {
 public:
  virtual ~BusInterposer() = default;

  /** The cell that is reached when the SoC asks for `address`. */
  virtual uint64_t route(uint64_t address) = 0;

  /** Whether a write to `address` is acknowledged but not stored. */
  virtual bool loses(uint64_t address) = 0;

  /** Cycles by which the answer to a read of `address` is late. */
  virtual uint64_t delay(uint64_t address) = 0;
};

}  // namespace hauberk
