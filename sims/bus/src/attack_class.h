// A row of the attack matrix: what is done, and what must come of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench.h"
#include "tally.h"

namespace hauberk::bus {

struct AttackRow {
  std::string attackClass;  // of docs/attack.md: "A16"
  std::string variant;      // "old transfer in place of a new one"
  Expected expected;
  unsigned share;  // attempts, relative to the others
  std::function<Outcome(Bench&, uint32_t number)> attempt;
};
using AttackRows = std::vector<AttackRow>;

/** Transfers in an attempt of a soak, which is counted by transfers. */
constexpr uint32_t kTransfersAnAttempt = 2000;

AttackRows losses(const Scheme& scheme);           // A10: dropped, delayed, exchanged, doubled
AttackRows splits(const Scheme& scheme);           // A16: members that receive different things
AttackRows spoofs(const Scheme& scheme);           // A16: beats nobody sent, and old ones
AttackRows flips(const Scheme& scheme);            // A16: bits
AttackRows authentications(const Scheme& scheme);  // A10, A16: what is done to MACs
AttackRows setUps(const Scheme& scheme);           // A16: what is done before the group agrees
AttackRows secrecy(const Scheme& scheme);          // A16: masks and data on the wires
AttackRows soaks(const Scheme& scheme);            // A22

inline Expected detectedIf(bool claimed) { return claimed ? Expected::Detected : Expected::NotClaimed; }
inline Expected harmlessIf(bool claimed) { return claimed ? Expected::Harmless : Expected::NotClaimed; }

}  // namespace hauberk::bus
