#include "pair_victim.h"

namespace hauberk::engine {

uint32_t placeOfPair(const Bench& bench, uint32_t block) {
  return static_cast<uint32_t>(bench.scheme.array("counter")->entryAddress(block));
}

uint32_t pairOf(const Bench& bench, uint32_t block) {
  uint32_t pair;
  std::memcpy(&pair, bench.memory.honest.at(placeOfPair(bench, block)), sizeof pair);
  return pair;
}

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
