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

  /** Metadata writes of nothing but zeros. Only the initialisation of counter lines writes such lines: a line that is
   * written back holds a counter, a tag or a hash. */
  TrafficCount initialisation;
};

/** Sees every transfer, a write with its last beat. The DRAM model calls it; it never changes what the SoC sees. */
class TrafficCounter {
 public:
  static constexpr uint64_t kBlockBytes = 64;

  /** Addresses from `metadataBase` on are metadata; below it, data. */
  explicit TrafficCounter(uint64_t metadataBase) : metadataBase_(metadataBase) {}

  void read(uint64_t address, uint64_t beats, uint64_t bytes) {
    add(isMetadata(address) ? traffic_.metadataReads : traffic_.dataReads, address, beats, bytes);
  }

  /** `zeros`: every byte is written, as zero. */
  void write(uint64_t address, uint64_t beats, uint64_t bytes, bool zeros) {
    TrafficCount& metadata = zeros ? traffic_.initialisation : traffic_.metadataWrites;
    add(isMetadata(address) ? metadata : traffic_.dataWrites, address, beats, bytes);
  }
  const Traffic& total() const { return traffic_; }

 private:
  bool isMetadata(uint64_t address) const { return address >= metadataBase_; }
  static void add(TrafficCount& count, uint64_t address, uint64_t beats, uint64_t bytes) {
    count.blocks += (address + bytes - 1) / kBlockBytes - address / kBlockBytes + 1;
    count.beats += beats;
  }

  uint64_t metadataBase_;
  Traffic traffic_;
};

}  // namespace hauberk
