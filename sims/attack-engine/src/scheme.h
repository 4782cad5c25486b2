// A scheme as the bench meets it: its geometry, where its metadata lie and what it claims; written by EmitEngines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hauberk::engine {

/** One array of metadata: lines of 64 bytes, each for `blocksPerLine` neighbouring blocks. */
struct MetadataArray {
  std::string kind;  // "counter", "written" (bits), "stamp", "tag" or "node"
  unsigned level = 0;
  uint32_t base = 0;
  uint32_t lines = 0;
  uint32_t blocksPerLine = 0;
  unsigned entryBits = 0;  // of one block's entry; 0: entries are no whole bytes

  /** The kind, and the level if there are several: "node1". */
  std::string name() const { return kind == "node" ? kind + std::to_string(level) : kind; }
  uint32_t lineAddress(uint32_t block) const { return base + block / blocksPerLine * 64; }
  /** Address and size of the smallest whole bytes that hold a block's entry: the entry, or its line. */
  uint32_t entryAddress(uint32_t block) const {
    return entryBits == 0 ? lineAddress(block) : lineAddress(block) + block % blocksPerLine * (entryBits / 8);
  }
  unsigned entryBytes() const { return entryBits == 0 ? 64 : entryBits / 8; }
};

/** When a violation shows: with the answer, soon after it (speculation), at the next check (log hash). */
enum class Detection { None, Answer, Later, Check };

struct Scheme {
  std::string name;
  uint32_t localBytes = 0;
  uint32_t dataBytes = 0;
  unsigned clientIds = 0;
  unsigned keySlots = 0;
  unsigned keyWords = 0;
  std::vector<MetadataArray> arrays;

  bool integrity = false;
  bool freshness = false;
  bool freshCiphertext = false;  // equal data never look equal
  bool newKeyAtReset = false;    // what was written is under a key that does not survive a reset
  Detection detection = Detection::None;

  uint32_t blocks() const { return dataBytes / 64; }
  const MetadataArray* array(const std::string& kind) const {
    for (const MetadataArray& a : arrays) {
      if (a.kind == kind) return &a;
    }
    return nullptr;
  }

  /** Throws std::runtime_error with the field that is wrong. */
  static Scheme read(const std::string& path);
};

}  // namespace hauberk::engine
