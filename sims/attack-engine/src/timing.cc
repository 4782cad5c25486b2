// A20: how long an answer takes must not tell what it is. Both runs start from the same state, so they may be compared
// cycle by cycle.
#include "attack_class.h"

namespace hauberk::engine {

namespace {

uint64_t latency(Bench& bench, uint32_t block) {
  const Answer answer = bench.readBlock(block);
  return (answer.firstBeat - answer.asked) << 32 | (answer.lastBeat - answer.asked);
}

/** The memory must draw nothing: it would tell the runs apart. */
void steady(Bench& bench) {
  bench.memory.timing.jitter = 0;
  bench.memory.timing.inOrder = true;
  bench.memory.timing.stallOneIn = 0;
  bench.client.idleOneIn = 0;
  bench.client.stallOneIn = 0;
  bench.steering.silence();
}

/** A false block is refused in the very cycle in which a true one is served. */
Outcome refuseOrServe(Victim& victim, const MetadataArray* tag) {
  Bench& bench = victim.bench;
  steady(bench);
  const uint32_t block = victim.writtenBlock();
  const uint64_t served = latency(bench, block);
  bench.back();
  const uint32_t at = tag == nullptr ? block * bench.scheme.blockBytes + bench.random.below(bench.scheme.blockBytes)
                                     : tag->entryAddress(block) + bench.random.below(tag->entryBytes());
  bench.memory.stored.put(at, static_cast<uint8_t>(*bench.memory.stored.at(at) ^ 0x10));
  const uint64_t refused = latency(bench, block);
  if (bench.memory.lies == 0) return Outcome::NoEffect;
  return refused == served ? Outcome::Harmless : Outcome::Missed;
}

/** Data make no difference. */
Outcome otherData(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  steady(bench);
  const uint32_t block = victim.writtenBlock();
  uint64_t seen[2];
  for (uint64_t& cycles : seen) {
    bench.back();
    Transfer transfer = bench.fillOf(block);
    const Answer write = bench.run(transfer);
    cycles = (write.lastBeat - write.asked) << 48 | latency(bench, block);
  }
  return seen[0] == seen[1] ? Outcome::Harmless : Outcome::Missed;
}

}  // namespace

AttackRows timing(const Scheme& scheme) {
  AttackRows rows = {{"A20", "time of other data", Expected::Harmless, 2, otherData}};
  if (scheme.integrity) {
    rows.push_back({"A20", "time of false data", Expected::Harmless, 1,
                    [](Victim& v, uint32_t) { return refuseOrServe(v, nullptr); }});
  }
  return rows;
}

}  // namespace hauberk::engine
