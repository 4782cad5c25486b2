// A18: hostile and mixed-up programs, and a memory that lies about pairs. No pad is used twice, and no answer is wrong
// but those under false pairs.
#include "pair_victim.h"

namespace hauberk::engine {

namespace {

/** Reads and writes of the first blocks, which hostile hints are about. */
class FewBlocks : public Source {
 public:
  FewBlocks(Bench& bench, uint32_t count, bool parts) : bench_(bench), left_(count), parts_(parts) {}
  bool next(Transfer& transfer) override {
    if (left_ == 0) return false;
    left_--;
    const uint32_t block = bench_.random.below(kFew);
    transfer = bench_.random.oneIn(3) ? bench_.readOf(block) : bench_.fillOf(block);
    transfer.partial = transfer.write && parts_ && bench_.random.oneIn(4);
    if (transfer.partial) transfer.enabled = bench_.random.next();
    return true;
  }

 private:
  Bench& bench_;
  uint32_t left_;
  bool parts_;
};

Outcome trafficUnder(Victim& victim, const Manners& manners, uint32_t transfers) {
  Bench& bench = victim.bench;
  {
    const Programs nobody(bench, Manners());
    renewRegisters(bench);
  }
  const uint64_t before = bench.status().steered;
  const Programs programs(bench, manners);
  FewBlocks source(bench, transfers, true);
  bench.client.source = &source;
  const bool answered = bench.drain();
  bench.client.source = nullptr;
  const Outcome outcome = judgeSteered(bench, before);
  return answered ? outcome : Outcome::Missed;
}

Outcome sayAnything(Victim& victim, uint32_t number) {
  Manners manners;
  manners.hostileOneIn = 1 + number % 3;
  return trafficUnder(victim, manners, 120);
}

/** As after a context switch: what one program steers, another increments. */
Outcome mixPrograms(Victim& victim, uint32_t number) {
  Manners manners;
  manners.programs = 2 + number % 3;
  manners.nextOneIn = 8 << number % 4;
  manners.hostileOneIn = number % 5 == 0 ? 4 : 0;
  return trafficUnder(victim, manners, 120);
}

Outcome loseHints(Victim& victim, uint32_t number) {
  Manners manners;
  manners.programs = 1;
  manners.lostOneIn = number % 2 == 0 ? 2 : 0;
  manners.lateOneIn = 2 + number % 3;
  return trafficUnder(victim, manners, 120);
}

/** Puts a pair in the place of a block's: one that was, another block's, one that its register has or will have, none,
 * or noise. */
void lie(Victim& victim) {
  Bench& bench = victim.bench;
  const uint32_t block = bench.random.below(kFew);
  const uint32_t at = bench.scheme.pairAddress(block);
  uint32_t pair = pairOf(bench, block);
  switch (bench.random.below(6)) {
    case 0:
      std::memcpy(&pair, &victim.old[at], sizeof pair);
      break;
    case 1:
      pair = pairOf(bench, bench.random.below(kFew));
      break;
    case 2:
      pair = bench.random.below(12) << 24 | bench.random.below(40);
      break;
    case 3:
      pair++;
      break;
    case 4:
      pair = 0;
      break;
    default:
      pair = static_cast<uint32_t>(bench.random.next());
  }
  bench.memory.stored.write(at, reinterpret_cast<const uint8_t*>(&pair), sizeof pair);
}

/** Nothing that memory says of pairs makes the engine use a pad again. What is read under a false pair is noise, which
 * is not claimed to be noticed. */
Outcome lieAboutPairs(Victim& victim, uint32_t number) {
  constexpr unsigned kLimit = 20000;
  Bench& bench = victim.bench;
  Manners manners;
  manners.programs = number % 2;
  manners.hostileOneIn = 2;
  if (number % 4 < 2) renewRegisters(bench);
  const Programs programs(bench, manners);
  FewBlocks source(bench, 100, false);
  bench.client.source = &source;
  for (unsigned i = 0; i < kLimit && !bench.client.idle(); i++) {
    if (bench.random.oneIn(4)) lie(victim);
    bench.tick();
  }
  bench.client.source = nullptr;
  const bool answered = bench.drain();
  if (bench.pads.repeated || !answered) return Outcome::Missed;
  if (bench.status().alarm) return Outcome::Detected;
  return bench.memory.lies == 0 ? Outcome::NoEffect : Outcome::Harmless;
}

/** A pad that was made ahead, for a load that a program announced, must not outlive its key. */
Outcome exchangeKeyBehindHint(Victim& victim, uint32_t number) {
  constexpr unsigned kDynamic = 1;
  Bench& bench = victim.bench;
  const Programs nobody(bench, Manners());
  const uint32_t block = victim.writtenBlock();
  const unsigned id = bench.random.below(bench.scheme.pairs->ids);
  bench.steering.say(Hint::Store, block, id);
  bench.run(bench.fillOf(block));
  bench.flush();
  bench.drain();
  bench.steering.say(Hint::Load, block, id);
  bench.idle(1 + number % 40);
  bench.zeroizeKey(kDynamic);
  const Key key = bench.drawKey();
  bench.loadKey(kDynamic, key);
  bench.idle(64);
  const Answer answer = bench.readBlock(block);
  return answer.denied || answer.wrong ? Outcome::Detected : Outcome::Missed;
}

}  // namespace

AttackRows steeringAttacks(const Scheme& scheme) {
  AttackRows rows;
  if (!scheme.pairs) return rows;
  rows.push_back({"A18", "old, exchanged and invented pairs", Expected::Harmless, 2, lieAboutPairs});
  if (!scheme.takesHints()) return rows;
  rows.push_back({"A18", "hints of anything", Expected::Peace, 2, sayAnything});
  rows.push_back({"A18", "hints of several programs mixed", Expected::Peace, 2, mixPrograms});
  rows.push_back({"A18", "hints lost and late", Expected::Peace, 1, loseHints});
  rows.push_back({"A18", "key exchanged behind a hint", Expected::Detected, 1, exchangeKeyBehindHint});
  return rows;
}

}  // namespace hauberk::engine
