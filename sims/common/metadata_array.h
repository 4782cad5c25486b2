// Where one kind of metadata lies, for whoever attacks it.
#pragma once

#include <cstdint>
#include <string>

namespace hauberk {

/** One array of metadata: lines as long as a block, each for `blocksPerLine` neighbouring blocks of data. As
 * `MetadataArray` of the generator, whose JSON the benches and the simulator read. Addresses are those of an engine's
 * own memory.
 */
struct MetadataArray {
  std::string kind;  // "counter", "written" (bits), "version", "tag" or "node"
  unsigned level = 0;
  uint64_t base = 0;
  uint64_t lines = 0;
  uint64_t blocksPerLine = 1;
  unsigned entryBits = 0;  // of one block's entry; 0: entries are no whole bytes
  uint64_t lineBytes = 64;

  /** The kind, and the level if there are several: "node1". */
  std::string name() const { return kind == "node" ? kind + std::to_string(level) : kind; }

  /** Whether the block has an entry; one behind the data has none. */
  bool covers(uint64_t block) const { return block / blocksPerLine < lines; }

  uint64_t lineAddress(uint64_t block) const { return base + block / blocksPerLine * lineBytes; }

  /** Address and size of the smallest whole bytes that hold a block's entry: the entry, or its line. */
  uint64_t entryAddress(uint64_t block) const {
    return entryBits == 0 ? lineAddress(block) : lineAddress(block) + block % blocksPerLine * (entryBits / 8);
  }
  unsigned entryBytes() const { return entryBits == 0 ? static_cast<unsigned>(lineBytes) : entryBits / 8; }
};

}  // namespace hauberk
