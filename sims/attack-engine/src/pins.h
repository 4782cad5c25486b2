// Ports of one memory protection engine as plain values, for one clock cycle.
#pragma once

#include <cstdint>

namespace hauberk::engine {

constexpr unsigned kMostBlockBytes = 64;  // of a scheme: Scheme::blockBytes
constexpr unsigned kBeatBytes = 8;
constexpr unsigned kMostBlockBeats = kMostBlockBytes / kBeatBytes;

/** One beat of a request, as in `MemoryRequest` of the generator. */
struct Request {
  bool valid = false;
  bool write = false;
  bool partial = false;
  uint32_t address = 0;
  uint8_t size = 0;  // log2 of the bytes of the transfer
  uint16_t id = 0;
  uint8_t mask = 0;
  uint64_t data = 0;

  unsigned bytes() const { return 1u << size; }
  /** Beats of a transfer of this size. */
  unsigned beats() const { return size > 3 ? bytes() / kBeatBytes : 1; }
  /** Beats of this request: a read has one. */
  unsigned requestBeats() const { return write ? beats() : 1; }
};

/** One beat of a response, as in `MemoryResponse` of the generator. */
struct Response {
  bool valid = false;
  bool write = false;
  uint16_t id = 0;
  uint8_t size = 0;
  uint64_t data = 0;
  bool denied = false;
};

/** What a program says of its accesses, as in `CounterHint` of the generator. */
struct Hint {
  enum Kind : uint8_t { Load, Store, Next, None };
  bool valid = false;
  uint8_t kind = None;
  uint32_t block = 0;
  uint8_t id = 0;
};

/** What the bench drives: a function of its own state only, never of this cycle's outputs. */
struct Inputs {
  Request client;
  bool clientReady = false;
  bool memoryReady = false;
  Response memory;
  bool keyWrite = false;
  uint8_t keySlot = 0;
  uint8_t keyWord = 0;
  uint64_t keyData = 0;
  bool keyZeroize = false;
  uint8_t zeroizeSlot = 0;
  bool arm = false;
  bool flush = false;
  bool check = false;
  Hint hint;
  uint32_t imageBlocks = 0;
};

struct Status {
  bool initialised = false;
  uint8_t usable = 0;  // a bit a slot
  bool armed = false;
  bool flushing = false;
  bool checking = false;
  bool rekeying = false;
  bool unverified = false;
  bool halted = false;
  uint64_t steered = 0;  // writes under a hinted pair, since reset
  bool alarm = false;
  uint8_t cause = 0;
  uint32_t address = 0;
};

struct Outputs {
  bool clientReady = false;
  Response client;
  Request memory;
  bool memoryReady = false;
  bool wantsKey = false;
  uint8_t wantedSlot = 0;
  Status status;
};

}  // namespace hauberk::engine
