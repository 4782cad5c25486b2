// A11 and A13: what is false when a write needs it: the rest of a block, and the metadata that the write will change.
#include <algorithm>

#include "attack_class.h"

namespace hauberk::engine {

namespace {

/** Part of a false block is written; the rest must not become right by that. */
Outcome writePartOfFalseBlock(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  const uint32_t byte = block * kBlockBytes + number % kBlockBytes;
  bench.memory.stored.put(byte, static_cast<uint8_t>(*bench.memory.stored.at(byte) ^ (1 + bench.random.below(255))));
  Transfer part = Transfer::fill(0, bench.random);
  part.size = static_cast<uint8_t>(bench.random.below(6));
  part.address = (block * kBlockBytes + bench.random.below(kBlockBytes)) >> part.size << part.size;
  bench.run(part);
  bench.readBlock(block);
  return bench.judge();
}

/** Metadata are false when a write fetches them; its neighbours are read afterwards. */
Outcome writeThroughFalseMetadata(Victim& victim, const MetadataArray* array, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  const uint32_t line = array->lineAddress(block);
  if (number % 2 == 0) {
    victim.restore(line, kBlockBytes);
  } else {
    for (uint32_t i = 0; i < kBlockBytes; i++)
      bench.memory.stored.put(line + i, static_cast<uint8_t>(bench.random.next()));
  }
  bench.run(Transfer::fill(block * kBlockBytes, bench.random));
  if (bench.memory.lies == 0) return Outcome::NoEffect;
  const uint32_t first = block / array->blocksPerLine * array->blocksPerLine;
  const uint32_t span = static_cast<uint32_t>(std::min<uint64_t>(array->blocksPerLine, 64));
  const uint32_t last = std::min(first + span, bench.scheme.blocks());
  for (uint32_t b = first; b < last; b++) {
    if (victim.written(b)) bench.client.ask(Transfer::read(b * kBlockBytes));
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
