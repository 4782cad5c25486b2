#include <algorithm>

#include "attack_class.h"

namespace hauberk::engine {

bool Victim::written(uint32_t block) const {
  const uint8_t* bytes = bench.client.plain().at(block * bench.scheme.blockBytes);
  return std::any_of(bytes, bytes + bench.scheme.blockBytes, [](uint8_t byte) { return byte != 0; });
}

uint32_t Victim::writtenBlock() const {
  uint32_t block = bench.random.below(bench.scheme.blocks());
  while (!written(block)) block = (block + 1) % bench.scheme.blocks();
  return block;
}

void Victim::restore(uint32_t address, uint32_t bytes) const {
  bench.memory.stored.write(address, &old[address], bytes);
}

bool Victim::changed(uint32_t block) const {
  const uint32_t bytes = bench.scheme.blockBytes;
  const uint32_t at = block * bytes;
  return !std::equal(&plain[at], &plain[at] + bytes, bench.client.plain().at(at)) &&
         std::any_of(&plain[at], &plain[at] + bytes, [](uint8_t byte) { return byte != 0; });
}

void Victim::restoreEntries(uint32_t block, const std::vector<std::string>& kinds) const {
  for (const MetadataArray& array : bench.scheme.arrays) {
    if (std::find(kinds.begin(), kinds.end(), array.kind) == kinds.end()) continue;
    restore(static_cast<uint32_t>(array.entryAddress(block)), array.entryBytes());
  }
}

}  // namespace hauberk::engine
