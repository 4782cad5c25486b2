// What crosses the DRAM's pins, told apart by address: the data region, and the protector's metadata behind it.
#pragma once

#include <cstdint>

namespace hauberk {

/** One direction of one region. A block is 64 bytes; a burst counts every block it touches. */
struct TrafficCount {
  uint64_t blocks = 0;
  uint64_t beats = 0;
};

struct Traffic {
  TrafficCount dataReads, dataWrites, metadataReads, metadataWrites;

  /** Metadata writes before the protector served anybody. */
  TrafficCount initialisation;
};

/** Sees every transfer. The DRAM model calls it; it never changes what the SoC sees. */
class TrafficCounter {
 public:
  static constexpr uint64_t kBlockBytes = 64;

  /** Addresses from `metadataBase` on are metadata; below it, data. */
  explicit TrafficCounter(uint64_t metadataBase) : metadataBase_(metadataBase) {}

  void read(uint64_t address, uint64_t beats, uint64_t bytes) { add(address, beats, bytes, false); }
  void write(uint64_t address, uint64_t beats, uint64_t bytes) { add(address, beats, bytes, true); }
  /** From now on, metadata writes are those that bring the metadata to their first state, or not. */
  void initialising(bool value) { initialising_ = value; }
  const Traffic& total() const { return traffic_; }

 private:
  void add(uint64_t address, uint64_t beats, uint64_t bytes, bool write) {
    const bool metadata = address >= metadataBase_;
    TrafficCount& metadataWrites = initialising_ ? traffic_.initialisation : traffic_.metadataWrites;
    TrafficCount& count = metadata ? (write ? metadataWrites : traffic_.metadataReads)
                                   : (write ? traffic_.dataWrites : traffic_.dataReads);
    count.blocks += (address + bytes - 1) / kBlockBytes - address / kBlockBytes + 1;
    count.beats += beats;
  }

  uint64_t metadataBase_;
  bool initialising_ = false;
  Traffic traffic_;
};

}  // namespace hauberk
