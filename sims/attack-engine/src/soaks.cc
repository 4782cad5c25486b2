// A12 and A22: everything at once, with nobody attacking and with somebody attacking.
#include <algorithm>

#include "attack_class.h"
#include "traffic.h"

namespace hauberk::engine {

namespace {

/** Looks for plaintext in what reaches memory. */
class PlaintextWatch : public WriteWatcher {
 public:
  explicit PlaintextWatch(Bench& bench) : bench_(bench) { bench.memory.watcher = this; }
  ~PlaintextWatch() override { bench_.memory.watcher = nullptr; }
  void lineWritten(uint32_t address, const uint8_t* bytes) override {
    if (address >= bench_.scheme.dataBytes) return;
    const uint8_t* plain = bench_.client.plain().at(address);
    for (unsigned i = 0; i < bench_.scheme.blockBytes; i += 8) {
      const bool zero = std::all_of(plain + i, plain + i + 8, [](uint8_t byte) { return byte == 0; });
      found |= !zero && std::equal(plain + i, plain + i + 8, bytes + i);
    }
  }
  bool found = false;

 private:
  Bench& bench_;
};

Outcome peace(Bench& bench, RandomTraffic& source) {
  PlaintextWatch watch(bench);
  bench.client.source = &source;
  const bool answered = bench.drain();
  bench.client.source = nullptr;
  if (bench.random.oneIn(8)) bench.flush();
  const Outcome outcome = bench.judge();
  if (watch.found || !answered) return Outcome::Missed;
  if (bench.scheme.pairs && !bench.status().alarm && !bench.memoryDecrypts()) return Outcome::Missed;
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

Outcome storm(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  RandomTraffic source(bench.scheme, kTransfersAnAttempt, bench.random);
  constexpr uint32_t kStrides[] = {8, 16, 32, 64, 128};
  source.partOneIn = 8;
  source.stride = kStrides[bench.random.below(5)];
  return peace(bench, source);
}

Outcome soak(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  RandomTraffic source(bench.scheme, kTransfersAnAttempt, bench.random);
  source.writeOneIn = 1 + bench.random.below(4);
  source.partOneIn = 2 + bench.random.below(10);
  return peace(bench, source);
}

/** A random change of a random line at a random time under traffic, then a look at everything it may have touched. */
Outcome anything(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  RandomTraffic source(bench.scheme, 60, bench.random);
  bench.client.source = &source;
  bench.runTicks(bench.random.below(300));
  const uint32_t block = victim.writtenBlock();
  const size_t which = bench.random.below(static_cast<uint32_t>(bench.scheme.arrays.size() + 1));
  const uint32_t line =
      which == 0 ? block * bench.scheme.blockBytes : bench.scheme.arrays[which - 1].lineAddress(block);
  const uint32_t kind = bench.random.below(3);
  if (kind == 0) victim.restore(line, bench.scheme.blockBytes);
  if (kind == 1) {
    const uint32_t other = bench.random.below(bench.scheme.blocks()) * bench.scheme.blockBytes;
    const std::vector<uint8_t> moved(bench.memory.stored.at(other),
                                     bench.memory.stored.at(other) + bench.scheme.blockBytes);
    bench.memory.stored.write(line, moved.data(), bench.scheme.blockBytes);
  }
  if (kind == 2) {
    const uint32_t byte = line + bench.random.below(bench.scheme.blockBytes);
    bench.memory.stored.put(byte, static_cast<uint8_t>(*bench.memory.stored.at(byte) ^ 1u << bench.random.below(8)));
  }
  bench.drain(4000);
  bench.client.source = nullptr;
  bench.readBlock(block);
  return bench.judge();
}

}  // namespace

AttackRows soaks(const Scheme& scheme) {
  AttackRows rows;
  // They would use up a counter that ends
  if (!scheme.countersEnd()) {
    rows.push_back({"A12", "storms on one cache set", Expected::Peace, 0, storm});
    rows.push_back({"A22", "random transfers", Expected::Peace, 0, soak});
  }
  const Expected expected = scheme.freshness ? Expected::Harmless : Expected::NotClaimed;
  rows.push_back({"A22", "random attacks under traffic", expected, 2, anything});
  return rows;
}

}  // namespace hauberk::engine
