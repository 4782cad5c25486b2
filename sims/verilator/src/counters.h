// What the hardware counts since reset, as far as a run record has it: the counters that registers.h names.
#pragma once

#include <cstdint>

#include "registers.h"

namespace hauberk {

#define HAUBERK_COUNTER(field, object, key) uint64_t field = 0;

/** The protector's counters, summed over its engines; zero without a protector. */
struct ProtectorCounters {
  PROTECTOR_RECORDED(HAUBERK_COUNTER)
};

/** What passed on the shared bus. */
struct BusCounters {
  BUS_RECORDED(HAUBERK_COUNTER)
};

/** What the last-level cache did; zero without one. */
struct CacheCounters {
  CACHE_RECORDED(HAUBERK_COUNTER)
};

#undef HAUBERK_COUNTER

}  // namespace hauberk
