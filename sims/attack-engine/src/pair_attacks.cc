// A6 and A7 on pairs: counters at their end, and one pair for many writes. The log of pads tells what comes of it.
#include <algorithm>

#include "pair_victim.h"
#include "registers.h"

namespace hauberk::engine {

namespace {

/** A register is incremented far over its last value, and a block is written after each. */
Outcome endRegister(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  const Programs nobody(bench, Manners());
  const PairCounters& pairs = *bench.scheme.pairs;
  bootAndClear(bench);
  const uint32_t block = bench.random.below(bench.scheme.blocks());
  const unsigned id = bench.random.below(pairs.ids);
  unsigned steered = 0;
  for (uint32_t value = 1; value < 2 * pairs.lastValue + 4; value++) {
    bench.steering.say(Hint::Store, block, id);
    bench.run(bench.fillOf(block));
    bench.flush();
    bench.drain();
    const uint32_t pair = pairOf(bench, block);
    if (!isGlobal(pair)) {
      steered++;
      if (value >= pairs.lastValue || pair != (id << 24 | value)) return Outcome::Missed;
    }
    bench.steering.say(Hint::Next, 0, id % pairs.registers);
    bench.idle(2);
  }
  return steered == 0 ? Outcome::NoEffect : judgePeace(bench);
}

/** Writes until the global counter is at its end, and not before it, halts the engine. */
Outcome endGlobal(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  const uint32_t last = bench.scheme.pairs->lastGlobal;
  for (uint32_t written = 0; written < 2 * last && !bench.status().halted; written++) {
    bench.client.ask(bench.fillOf(bench.random.below(bench.scheme.blocks())));
    if (written % 8 == 7) bench.drain();
  }
  const Outcome outcome = bench.judge();
  uint32_t largest = 0;
  for (uint32_t block = 0; block < bench.scheme.blocks(); block++) {
    const uint32_t pair = pairOf(bench, block);
    if (isGlobal(pair)) largest = std::max(largest, pair & ~(1u << 31));
  }
  return bench.status().cause == PROTECTOR_ALARM_CAUSE_COUNTER_OVERFLOW && largest == last ? outcome : Outcome::Missed;
}

/** A program names one pair, or two of one register, for every block it writes: an array upwards, downwards, there and
 * back, or in any order. */
Outcome hintOnePair(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  const Programs nobody(bench, Manners());
  renewRegisters(bench);
  const uint64_t before = bench.status().steered;
  const PairCounters& pairs = *bench.scheme.pairs;
  const uint32_t blocks = bench.random.oneIn(2) ? 3 : kFew;
  const uint32_t first = bench.random.below(bench.scheme.blocks() - blocks);
  const unsigned id = bench.random.below(pairs.registers);
  for (uint32_t i = 0; i < 2 * kFew; i++) {
    const uint32_t turn = i % blocks;
    const bool back = number % 4 == 1 || (number % 4 == 2 && i / blocks % 2 == 1);
    const uint32_t block = first + (number % 4 == 3 ? bench.random.below(blocks) : back ? blocks - 1 - turn : turn);
    const bool other = bench.random.oneIn(8) && id + pairs.registers < pairs.ids;
    bench.steering.say(Hint::Store, block, other ? id + pairs.registers : id);
    bench.client.ask(bench.fillOf(block));
    bench.idle(bench.random.below(16));
  }
  return judgeSteered(bench, before);
}

/** The pad of a block that nobody wrote is the package's. It must not come again under whatever hint. */
Outcome reusePackagePad(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  const Programs nobody(bench, Manners());
  bootAndClear(bench);
  for (uint32_t block = 0; block < kFew; block++) {
    const uint32_t at = block * bench.scheme.blockBytes;
    const Answer answer = bench.readBlock(block);
    if (!answer.denied) bench.pads.seen(at, answer.data, bench.memory.stored.at(at));
  }
  for (uint32_t block = 0; block < kFew; block++) {
    if (bench.random.oneIn(2)) bench.steering.say(Hint::Store, block, bench.random.below(3));
    bench.run(bench.fillOf(block));
  }
  return judgePeace(bench);
}

}  // namespace

AttackRows pairAttacks(const Scheme& scheme) {
  AttackRows rows;
  if (!scheme.pairs) return rows;
  rows.push_back({"A7", "pad of the package used again", Expected::Peace, 1, reusePackagePad});
  if (scheme.countersEnd()) rows.push_back({"A6", "global counter at its end", Expected::Detected, 1, endGlobal});
  if (!scheme.takesHints()) return rows;
  if (scheme.countersEnd()) rows.push_back({"A6", "register over its end", Expected::Peace, 1, endRegister});
  rows.push_back({"A7", "one pair hinted for all", Expected::Peace, 2, hintOnePair});
  return rows;
}

}  // namespace hauberk::engine
