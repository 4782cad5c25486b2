// A scheme as the bench meets it: its geometry, where its metadata lie and what it claims; written by EmitEngines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metadata_array.h"

namespace hauberk::engine {

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
