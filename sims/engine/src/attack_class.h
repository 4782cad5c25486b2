// A row of the attack matrix: what is done, and what must come of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench.h"

namespace hauberk::engine {

enum class Expected {
  Detected,   // every attempt is noticed
  Noticed,    // every attempt is noticed whose falsehood comes to be used, for some of it belongs to others' blocks
  Harmless,   // no attempt makes a wrong answer pass; noticing it is as good
  Peace,      // nobody attacks: no wrong answer, and any alarm is false
  NotClaimed  // the scheme does not claim it: attempts must be seen to succeed
};

/** What attacks start from: an engine that has worked for a while, and what memory held half-way. */
struct Victim {
  Bench& bench;
  std::vector<uint8_t> old;    // the whole external memory
  std::vector<uint8_t> plain;  // what the client had written by then

  bool written(uint32_t block) const;
  uint32_t writtenBlock() const;
  /** Puts back what memory held half-way. */
  void restore(uint32_t address, uint32_t bytes) const;
};

struct AttackRow {
  std::string attackClass;  // of docs/attack.md: "A1"
  std::string variant;      // "data bit flipped"
  Expected expected;
  unsigned share;  // attempts, relative to the others
  std::function<Outcome(Victim&, uint32_t number)> attempt;
};

/** Transfers in an attempt of a soak, which is counted by transfers. */
constexpr uint32_t kTransfersAnAttempt = 2000;
using AttackRows = std::vector<AttackRow>;

AttackRows tampering(const Scheme& scheme);     // A1, A2, A3
AttackRows replays(const Scheme& scheme);       // A4
AttackRows resets(const Scheme& scheme);        // A5, A15
AttackRows repetitions(const Scheme& scheme);   // A6, A7, A8
AttackRows busAttacks(const Scheme& scheme);    // A9, A10
AttackRows writeAttacks(const Scheme& scheme);  // A11, A13
AttackRows keyAttacks(const Scheme& scheme);    // A14
AttackRows timing(const Scheme& scheme);        // A20
AttackRows soaks(const Scheme& scheme);         // A12, A22

inline Expected noticedIf(bool claimed) { return claimed ? Expected::Noticed : Expected::NotClaimed; }
inline Expected detectedIf(bool claimed) { return claimed ? Expected::Detected : Expected::NotClaimed; }

}  // namespace hauberk::engine
