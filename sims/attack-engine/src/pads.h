// Every pad, recovered from outside: what the client wrote XOR what memory was given for it. None may come twice,
// whatever block it is for.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "image.h"

namespace hauberk::engine {

/** Of engines with one-time pads that write a block once for each write of the client, and in their order. */
class PadLog {
 public:
  explicit PadLog(uint32_t blockBytes) : blockBytes_(blockBytes) {}

  /** A write of the client has its place in the order of its block, whose bytes are all known from now on or not. */
  void written(uint32_t address, const Image& plain, const Image& known);
  /** A block reached memory. */
  void stored(uint32_t address, const uint8_t* cipher);
  /** The ciphertext of these bytes is known otherwise: of a block that nobody wrote. */
  void seen(uint32_t address, const uint8_t* plain, const uint8_t* cipher);

  /** A state to come back to; nothing may be in flight. Pads until then stay known for ever. */
  void mark();
  void back();
  /** What is in flight is lost. Keys are new, so that pads are: those that were stay known. */
  void reset() { versions_.clear(); }

  bool repeated = false;
  uint32_t firstRepeated = 0;  // the address of the block

 private:
  struct Version {
    bool known = false;
    uint8_t bytes[64] = {};
  };
  uint32_t blockBytes_;
  std::unordered_map<uint32_t, std::deque<Version>> versions_;  // plaintexts that each block will have, in their order
  std::unordered_set<uint64_t> now_, marked_;                   // the first half of each AES block of pad
  bool markedRepeated_ = false;
};

}  // namespace hauberk::engine
