// A5 and A15: old memory across a reset, requests for a new beginning, and memory that woke up as the attacker chose.
#include <algorithm>
#include <array>

#include "attack_class.h"

namespace hauberk::engine {

namespace {

constexpr unsigned kReads = 12;

/** The engine is switched off and on; memory keeps what it holds, or gets back what it held half-way. */
Outcome powerCycle(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  if (number % 2 == 1) victim.restore(0, bench.scheme.localBytes);
  std::array<uint32_t, kReads> blocks;
  std::array<std::array<uint8_t, kMostBlockBytes>, kReads> secrets;
  for (unsigned i = 0; i < kReads; i++) {
    blocks[i] = victim.writtenBlock();
    const uint32_t at = blocks[i] * bench.scheme.blockBytes;
    const uint8_t* plain = number % 2 == 1 ? &victim.plain[at] : bench.client.plain().at(at);
    std::copy(plain, plain + bench.scheme.blockBytes, secrets[i].begin());
  }
  bench.boot();
  for (unsigned i = 0; i < kReads; i++) {
    const Answer answer = bench.readBlock(blocks[i]);
    const auto& secret = secrets[i];
    const auto end = secret.begin() + bench.scheme.blockBytes;
    const bool any = std::any_of(secret.begin(), end, [](uint8_t byte) { return byte != 0; });
    if (!answer.denied && any && std::equal(secret.begin(), end, answer.data)) return Outcome::Missed;
  }
  const Outcome outcome = bench.judge();
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

/** Software asks for everything it can ask for, while others work. */
Outcome askForReset(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  for (unsigned round = 0; round < 8; round++) {
    const uint32_t block = bench.random.below(bench.scheme.blocks());
    bench.client.ask(bench.fillOf(block));
    bench.client.ask(bench.readOf(victim.writtenBlock()));
    bench.inputs.arm = bench.random.oneIn(2);
    bench.inputs.flush = bench.random.oneIn(4);
    bench.inputs.check = bench.random.oneIn(8);
    bench.tick();
    bench.inputs.arm = bench.inputs.flush = bench.inputs.check = false;
    bench.idle(bench.random.below(40));
  }
  const Outcome outcome = bench.judge();
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

/** Memory as the attacker likes it: noise, one byte everywhere, or what another run left. */
void choosePattern(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  Memory& memory = bench.memory;
  if (number % 4 == 0) {
    memory.fillWithNoise(bench.random);
    return;
  }
  if (number % 4 == 1) victim.restore(0, bench.scheme.localBytes);
  const auto byte = static_cast<uint8_t>(number % 8 < 4 ? 0xff : bench.random.next());
  for (uint32_t at = 0; at < memory.stored.size(); at++) {
    if (number % 4 >= 2) memory.stored.put(at, byte);
    memory.honest.put(at, *memory.stored.at(at));
  }
}

/** Reads of what nobody has written yet. */
Outcome firstTouch(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  choosePattern(victim, number);
  bench.boot();
  bool chosen = false;
  for (unsigned i = 0; i < kReads; i++) {
    const Answer answer = bench.readBlock(bench.random.below(bench.scheme.blocks()));
    const bool any =
        std::any_of(answer.data, answer.data + bench.scheme.blockBytes, [](uint8_t byte) { return byte != 0; });
    chosen |= !answer.denied && any;
  }
  const Outcome outcome = bench.judge();
  if (outcome == Outcome::NoEffect || outcome == Outcome::Harmless) return chosen ? Outcome::Missed : Outcome::Harmless;
  return outcome;
}

/** Whatever memory held, what is written now is read back. */
Outcome firstUse(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  choosePattern(victim, number);
  bench.boot();
  bench.traffic(100);
  const Outcome outcome = bench.judge();
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

}  // namespace

AttackRows resets(const Scheme& scheme) {
  const Expected old = scheme.newKeyAtReset || scheme.freshness ? Expected::Harmless : Expected::NotClaimed;
  return {
      {"A5", "old memory after a reset", old, 1, powerCycle},
      {"A5", "commands while others work", Expected::Peace, 1, askForReset},
      {"A15", "chosen memory, never written", scheme.integrity ? Expected::Harmless : Expected::NotClaimed, 1,
       firstTouch},
      {"A15", "chosen memory, then written", Expected::Peace, 1, firstUse},
  };
}

}  // namespace hauberk::engine
