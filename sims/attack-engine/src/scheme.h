// A scheme as the bench meets it: its geometry, where its metadata lie and what it claims; written by EmitEngines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "metadata_array.h"

namespace hauberk::engine {

/** When a violation shows: with the answer, soon after it (speculation), at the next check (log hash). */
enum class Detection { None, Answer, Later, Check };

/** Pairs of a global counter, or of counter registers that programs steer, in place of counters. */
struct PairCounters {
  unsigned registers = 0;  // 0: the global counter alone
  unsigned ids = 0;
  uint32_t lastGlobal = 0;  // the last value of the global counter
  uint32_t lastValue = 0;   // of a register, which gives no pairs then
};

struct Scheme {
  std::string name;
  uint32_t localBytes = 0;
  uint32_t dataBytes = 0;
  uint32_t blockBytes = 64;  // and of a line of metadata
  unsigned clientIds = 0;
  unsigned keySlots = 0;
  unsigned keyWords = 0;
  std::vector<MetadataArray> arrays;
  std::optional<PairCounters> pairs;

  bool integrity = false;
  bool freshness = false;
  bool freshCiphertext = false;  // equal data never look equal
  bool newKeyAtReset = false;    // what was written is under a key that does not survive a reset
  Detection detection = Detection::None;
  uint32_t verdictTimeout = 0;  // cycles from the use of data to the alarm, if their verdict does not come; 0: none

  uint32_t blocks() const { return dataBytes / blockBytes; }
  unsigned blockBeats() const { return blockBytes / 8; }
  /** Log2 of the bytes of a block, as in requests. */
  uint8_t blockSize() const {
    uint8_t size = 3;
    while (1u << size < blockBytes) size++;
    return size;
  }
  bool takesHints() const { return pairs && pairs->registers > 0; }
  /** Its counters are so small that a campaign comes to their end. */
  bool countersEnd() const { return pairs && pairs->lastGlobal <= 0xffff; }
  const MetadataArray* array(const std::string& kind) const {
    for (const MetadataArray& a : arrays) {
      if (a.kind == kind) return &a;
    }
    return nullptr;
  }

  /** Of a scheme with pairs: where memory has a block's. */
  uint32_t pairAddress(uint32_t block) const { return static_cast<uint32_t>(array("counter")->entryAddress(block)); }

  /** Throws std::runtime_error with the field that is wrong. */
  static Scheme read(const std::string& path);
};

}  // namespace hauberk::engine
