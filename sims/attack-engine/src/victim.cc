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

}  // namespace hauberk::engine
