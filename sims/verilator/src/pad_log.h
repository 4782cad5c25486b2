// What anybody can read off the shared bus of encryption for memory by the tiles: enough for who has the keys to
// decrypt a dump.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace hauberk {

/** What a member contributes to a set-up of the bus's first group. */
struct BusShare {
  uint64_t member = 0;
  uint64_t word = 0;
};

/** A tile encrypts a block, the n-th of memory, with this counter. */
struct PadAnnouncement {
  uint64_t block = 0;
  uint64_t writer = 0;
  uint64_t count = 0;
};

class PadLog {
 public:
  /** Members contribute in the order of their numbers, at every set-up; only the first one after reset made the key. */
  void note(const BusShare& share) {
    if (share.member == shares_.size()) shares_.push_back(share.word);
  }
  void note(const PadAnnouncement& said) { latest_[said.block] = said; }

  /** By member. */
  const std::vector<uint64_t>& shares() const { return shares_; }
  /** The latest of each block. */
  const std::map<uint64_t, PadAnnouncement>& latest() const { return latest_; }

 private:
  std::vector<uint64_t> shares_;
  std::map<uint64_t, PadAnnouncement> latest_;
};

}  // namespace hauberk
