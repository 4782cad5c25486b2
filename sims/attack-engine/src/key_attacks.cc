// A14: keys that are not whole, not there any more, or not theirs. What is asked must be refused.
#include <stdexcept>

#include "attack_class.h"

namespace hauberk::engine {

namespace {

/** Two transfers that must be refused, or at least not served. */
class Requests {
 public:
  explicit Requests(Bench& bench) {
    constexpr unsigned kTimeout = 400;
    const uint32_t block = bench.random.below(bench.scheme.blocks());
    Transfer read = bench.readOf(block);
    Transfer write = bench.fillOf(block);
    read.report = &read_;
    write.report = &write_;
    bench.client.ask(read);
    bench.client.ask(write);
    for (unsigned i = 0; i < kTimeout && !(read_.come && write_.come); i++) bench.tick();
  }
  Requests(const Requests&) = delete;
  Outcome outcome() const { return served(read_) || served(write_) ? Outcome::Missed : Outcome::Detected; }

 private:
  static bool served(const Answer& answer) { return answer.come && !answer.denied; }
  Answer read_, write_;
};

/** Arms an engine that was given some words of its keys only. */
Outcome armWithoutKeys(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  bench.reset();
  bench.waitInitialised();
  const unsigned words = bench.scheme.keyWords;
  const unsigned all = (1u << 2 * words) - 1;
  const unsigned given = number % all;  // never all of them
  for (unsigned i = 0; i < 2 * words; i++) {
    if (given >> i & 1) bench.writeKeyWord(i / words, i % words, bench.random.next());
  }
  bench.idle(40);
  bench.arm();
  bench.tick();
  return bench.status().armed ? Outcome::Missed : Requests(bench).outcome();
}

/** The slot of the dynamic key, which changes when memory is re-encrypted; 0 while there are two of them. */
unsigned dynamicSlot(const Bench& bench) {
  const unsigned usable = bench.status().usable & 6;
  return usable == 6 ? 0 : usable / 2;
}

/** Zeroizes a key, or overwrites a part of it, while transfers are under way. */
Outcome loseKey(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  const unsigned slot = number / 2 % 2 == 0 ? 0 : dynamicSlot(bench);
  for (unsigned i = 0; i < 12; i++) {
    const uint32_t block = victim.writtenBlock();
    const auto size = static_cast<uint8_t>(bench.random.below(bench.scheme.blockSize() + 1u));
    bench.client.ask(bench.random.oneIn(2) ? Transfer::read(block * bench.scheme.blockBytes, size)
                                           : bench.fillOf(block));
  }
  bench.idle(bench.random.below(120));
  if (number % 2 == 0) {
    bench.zeroizeKey(slot);
  } else {
    bench.writeKeyWord(slot, bench.random.below(bench.scheme.keyWords), bench.random.next());
  }
  bench.idle(200);  // what waits for its key keeps waiting
  const Requests refused(bench);
  const Outcome outcome = refused.outcome();
  // What is asked under the next key is no matter of this one
  bench.client.withdraw();
  const Key key = bench.drawKey();
  bench.zeroizeKey(slot);
  bench.loadKey(slot, key);
  if (!bench.drain(4000)) throw std::runtime_error("transfers never end after a key was lost and another one loaded");
  return bench.client.wrong > 0 ? Outcome::Missed : outcome;
}

/** After a key was lost, another one must not make anything of what was written under the first. */
Outcome exchangeKey(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  // Known to the last byte: one byte alone may be right by chance
  const uint32_t block = victim.writtenBlock();
  bench.run(bench.fillOf(block));
  const unsigned slot = bench.scheme.newKeyAtReset ? dynamicSlot(bench) : 0;  // the slot that blocks are under
  if (bench.scheme.newKeyAtReset && slot == 0) return Outcome::NoEffect;
  bench.zeroizeKey(slot);
  const Key key = bench.drawKey();
  bench.loadKey(slot, key);
  bench.idle(64);
  const Answer answer = bench.readBlock(block);
  if (!answer.denied && !answer.wrong) return Outcome::Missed;
  return bench.scheme.integrity ? bench.judge() : Outcome::Detected;
}

/** Words for slots that do not exist, and one too many for a key: nobody notices. */
Outcome writeNoSlot(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  if ((bench.scheme.keySlots & (bench.scheme.keySlots - 1)) == 0) return Outcome::Harmless;
  bench.writeKeyWord(bench.scheme.keySlots, bench.random.below(bench.scheme.keyWords), bench.random.next());
  bench.zeroizeKey(bench.scheme.keySlots);
  bench.traffic(20);
  const Outcome outcome = bench.judge();
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

}  // namespace

AttackRows keyAttacks(const Scheme&) {
  return {
      {"A14", "armed without whole keys", Expected::Detected, 1, armWithoutKeys},
      {"A14", "key lost under traffic", Expected::Detected, 1, loseKey},
      {"A14", "key exchanged", Expected::Detected, 1, exchangeKey},
      {"A14", "slot that does not exist", Expected::Peace, 1, writeNoSlot},
  };
}

}  // namespace hauberk::engine
