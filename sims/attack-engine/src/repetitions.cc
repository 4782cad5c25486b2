// A6, A7, A8: equal data written again and again must never look equal. With a one-time pad, equal ciphertext of equal
// data is a pad used twice, so this watches every pad the engine makes; with the counters of a few blocks driven beyond
// what they hold.
#include <algorithm>
#include <unordered_set>

#include "attack_class.h"
#include "traffic.h"

namespace hauberk::engine {

namespace {

/** Remembers every AES block of data that reached memory. */
class RepetitionWatch : public WriteWatcher {
 public:
  explicit RepetitionWatch(Bench& bench) : scheme_(bench.scheme), memory_(bench.memory) { memory_.watcher = this; }
  ~RepetitionWatch() override { memory_.watcher = nullptr; }
  void lineWritten(uint32_t address, const uint8_t* bytes) override {
    if (address >= scheme_.dataBytes) return;
    for (unsigned i = 0; i < scheme_.blockBytes; i += 16) {
      uint64_t half;
      std::memcpy(&half, bytes + i, 8);
      repeated |= !seen_.insert(half).second;
      plain |= bytes[i] == ConstantTraffic::kValue && std::equal(bytes + i, bytes + i + 7, bytes + i + 1);
    }
  }
  bool repeated = false;
  bool plain = false;

 private:
  const Scheme& scheme_;
  Memory& memory_;
  std::unordered_set<uint64_t> seen_;
};

Outcome writeConstants(Victim& victim, uint32_t blocks, uint32_t count) {
  Bench& bench = victim.bench;
  RepetitionWatch watch(bench);
  ConstantTraffic all(bench.scheme, blocks, count, bench.random);
  bench.client.source = &all;
  bench.drain();
  if (bench.random.oneIn(4)) bench.flush();
  bench.client.source = nullptr;
  const Outcome outcome = bench.judge();
  if (watch.repeated || watch.plain || outcome == Outcome::Missed) return Outcome::Missed;
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

}  // namespace

AttackRows repetitions(const Scheme& scheme) {
  const Expected expected = scheme.freshCiphertext ? Expected::Peace : Expected::NotClaimed;
  return {
      {"A6", "counters driven over their end", expected, 2,
       [](Victim& v, uint32_t n) { return n % 16 == 0 ? writeConstants(v, 3, 600) : writeConstants(v, 1, 80); }},
      {"A7", "no pad twice at any place", expected, 2,
       [&scheme](Victim& v, uint32_t) { return writeConstants(v, scheme.blocks(), 60); }},
      {"A8", "equal data written again", expected, 2, [](Victim& v, uint32_t) { return writeConstants(v, 4, 24); }},
  };
}

}  // namespace hauberk::engine
