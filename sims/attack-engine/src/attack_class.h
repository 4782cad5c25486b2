// A row of the attack matrix: what is done, and what must come of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench.h"
#include "campaign.h"

namespace hauberk::engine {

/** What attacks start from: an engine that has worked for a while, and what memory held half-way. */
struct Victim {
  Bench& bench;
  std::vector<uint8_t> old;    // the whole external memory
  std::vector<uint8_t> plain;  // what the client had written by then

  bool written(uint32_t block) const;
  uint32_t writtenBlock() const;
  /** A block that was written by half-time and differently since. */
  bool changed(uint32_t block) const;
  /** Puts back what memory held half-way. */
  void restore(uint32_t address, uint32_t bytes) const;
  /** The same of a block's entries in these kinds of metadata. */
  void restoreEntries(uint32_t block, const std::vector<std::string>& kinds) const;
};

using AttackRow = hauberk::AttackRow<Victim>;
using AttackRows = std::vector<AttackRow>;

AttackRows tampering(const Scheme& scheme);        // A1, A2, A3
AttackRows replays(const Scheme& scheme);          // A4
AttackRows resets(const Scheme& scheme);           // A5, A15
AttackRows repetitions(const Scheme& scheme);      // A6, A7, A8
AttackRows busAttacks(const Scheme& scheme);       // A9, A10
AttackRows writeAttacks(const Scheme& scheme);     // A11, A13
AttackRows keyAttacks(const Scheme& scheme);       // A14
AttackRows pairAttacks(const Scheme& scheme);      // A6, A7
AttackRows steeringAttacks(const Scheme& scheme);  // A18
AttackRows heldVerdicts(const Scheme& scheme);     // A23
AttackRows timing(const Scheme& scheme);           // A20
AttackRows soaks(const Scheme& scheme);            // A12, A22

}  // namespace hauberk::engine
