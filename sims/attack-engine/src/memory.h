// The external memory: L cycles to the first beat, a beat per cycle, answers in order or not. Beside what it stores it
// keeps what an honest memory would store, so that it knows when a lie has reached the engine.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "image.h"
#include "pads.h"
#include "pins.h"
#include "random.h"

namespace hauberk::engine {

struct MemoryTiming {
  uint32_t latency = 10;    // cycles from a request to its first beat, at least 1
  uint32_t jitter = 0;      // up to so many more, drawn for each request
  bool inOrder = true;      // else any answer that is due may come first
  uint32_t stallOneIn = 0;  // a request or a beat of an answer waits one cycle in so many; 0: never
};

/** An answer on its way to the engine. */
struct Reply {
  bool write = false;
  uint16_t id = 0;
  uint8_t size = 0;
  uint32_t address = 0;
  unsigned beats = 1;
  uint64_t data[kMostBlockBeats] = {};
  uint64_t honest[kMostBlockBeats] = {};
  bool denied = false;
  uint64_t due = 0;
  bool held = false;  // others pass it until it is due, in a memory that answers in order, too
};

/** A request as the memory took it. */
struct Asked {
  uint64_t cycle;
  uint32_t address;
  bool write;
};

/** Somebody in the middle of the bus; this one is honest. */
class Interposer {
 public:
  virtual ~Interposer() = default;
  /** The cell that is accessed when the engine asks for `address`. */
  virtual uint32_t route(uint32_t address, bool /*write*/) { return address; }
  /** A write that is acknowledged but never stored. */
  virtual bool loses(uint32_t /*address*/) { return false; }
  /** Change, delay, hold or (false) drop an answer. */
  virtual bool passes(Reply& /*reply*/) { return true; }
};

/** Is told of every whole block that reached memory. */
class WriteWatcher {
 public:
  virtual ~WriteWatcher() = default;
  virtual void lineWritten(uint32_t address, const uint8_t* bytes) = 0;
};

class Memory {
 public:
  Memory(uint32_t bytes, uint32_t blockBytes, uint64_t seed)
      : stored(bytes), honest(bytes), blockBytes_(blockBytes), random_(seed) {}

  Image stored;  // change it to attack
  Image honest;
  MemoryTiming timing;
  Interposer* interposer = nullptr;
  WriteWatcher* watcher = nullptr;
  PadLog* pads = nullptr;
  std::vector<Asked>* log = nullptr;  // of every request, while somebody reads addresses

  void fillWithNoise(Random& random);
  void drive(Inputs& inputs);
  void observe(const Inputs& inputs, const Outputs& outputs);

  bool idle() const { return replies_.empty() && !hasCurrent_ && burstBeat_ == 0; }
  void mark();
  void back();
  /** Answers that are held come now. */
  void release();
  /** Forgets what is in flight, as a reset does. */
  void reset();

  /** Beats that differed from what an honest memory would have answered, and where the first one was. */
  uint64_t lies = 0;
  uint32_t firstLie = 0;
  uint64_t writes = 0;  // write bursts taken
  uint64_t reads = 0;

 private:
  void take(const Request& request);
  void takeWriteBeat(const Request& request);
  void takeRead(const Request& request);
  void begin(const Request& request);
  void answer(Reply reply);
  void choose();

  bool isFalse(unsigned beat) const;

  static constexpr unsigned kIds = 1024;
  const uint32_t blockBytes_;
  Random random_;
  uint64_t now_ = 0;
  std::deque<Reply> replies_;
  Reply current_;
  bool hasCurrent_ = false;
  unsigned currentBeat_ = 0;
  unsigned burstBeat_ = 0;
  Request burst_;
  uint32_t burstCell_ = 0;
  bool burstLost_ = false;
  bool ready_ = true;
  uint8_t inFlight_[kIds] = {};
};

}  // namespace hauberk::engine
