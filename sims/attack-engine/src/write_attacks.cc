// A11 and A13: what is false when a write needs it: the rest of a block, and the metadata that the write will change.
#include <algorithm>

#include "attack_class.h"

namespace hauberk::engine {

namespace {

/** Part of a false block is written; the rest must not become right by that. */
Outcome writePartOfFalseBlock(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  const uint32_t byte = block * bench.scheme.blockBytes + number % bench.scheme.blockBytes;
  bench.memory.stored.put(byte, static_cast<uint8_t>(*bench.memory.stored.at(byte) ^ (1 + bench.random.below(255))));
  const auto size = static_cast<uint8_t>(bench.random.below(bench.scheme.blockSize()));
  const uint32_t at = block * bench.scheme.blockBytes + bench.random.below(bench.scheme.blockBytes);
  bench.run(Transfer::fill(at >> size << size, size, bench.random));
  bench.readBlock(block);
  return bench.judge();
}

/** Metadata are false when a write fetches them; its neighbours are read afterwards. */
Outcome writeThroughFalseMetadata(Victim& victim, const MetadataArray* array, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  const uint32_t line = array->lineAddress(block);
  if (number % 2 == 0) {
    victim.restore(line, bench.scheme.blockBytes);
  } else {
    for (uint32_t i = 0; i < bench.scheme.blockBytes; i++)
      bench.memory.stored.put(line + i, static_cast<uint8_t>(bench.random.next()));
  }
  Transfer write = bench.fillOf(block);
  if (bench.scheme.pairs) write.size--;  // only a write that leaves something of its block needs its pair
  bench.run(write);
  if (bench.memory.lies == 0) return Outcome::NoEffect;
  const uint32_t first = block / array->blocksPerLine * array->blocksPerLine;
  const uint32_t span = static_cast<uint32_t>(std::min<uint64_t>(array->blocksPerLine, 64));
  const uint32_t last = std::min(first + span, bench.scheme.blocks());
  for (uint32_t b = first; b < last; b++) {
    if (victim.written(b)) bench.client.ask(bench.readOf(b));
  }
  return bench.judge();
}

}  // namespace

AttackRows writeAttacks(const Scheme& scheme) {
  AttackRows rows = {{"A11", "part of a false block written", detectedIf(scheme.integrity), 2, writePartOfFalseBlock}};
  for (const MetadataArray& array : scheme.arrays) {
    const MetadataArray* a = &array;
    // Neighbours whose counters are rolled back to zero are "never written".
    const bool claimed = array.kind == "counter" ? scheme.freshness : scheme.integrity;
    rows.push_back({"A13", "write through false " + array.name(), noticedIf(claimed), 2,
                    [a](Victim& v, uint32_t n) { return writeThroughFalseMetadata(v, a, n); }});
  }
  return rows;
}

}  // namespace hauberk::engine
