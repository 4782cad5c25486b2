#include "pair_victim.h"

namespace hauberk::engine {

Outcome judgePeace(Bench& bench) {
  const Outcome outcome = bench.judge();
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

Outcome judgeSteered(Bench& bench, uint64_t before) {
  const Outcome outcome = judgePeace(bench);
  if (outcome != Outcome::Harmless) return outcome;
  if (!bench.memoryDecrypts()) return Outcome::Missed;
  return bench.status().steered == before ? Outcome::NoEffect : outcome;
}

void bootAndClear(Bench& bench) {
  constexpr unsigned kLargestTable = 600;
  bench.boot();
  bench.idle(kLargestTable);
}

void renewRegisters(Bench& bench) {
  if (bench.scheme.countersEnd()) bootAndClear(bench);
}

}  // namespace hauberk::engine
