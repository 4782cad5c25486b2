// The trusted side: keeps many transfers in flight and compares every byte read with a plain map.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "image.h"
#include "pads.h"
#include "pins.h"
#include "random.h"

namespace hauberk::engine {

struct Answer {
  bool come = false;
  bool denied = false;
  bool wrong = false;
  uint64_t asked = 0;      // cycle in which the request's first beat was taken
  uint64_t firstBeat = 0;  // cycles of the answer's beats
  uint64_t lastBeat = 0;
  uint8_t data[kMostBlockBytes] = {};
};

struct Transfer {
  bool write = false;
  bool partial = false;  // some bytes are not written
  uint32_t address = 0;
  uint8_t size = 6;
  uint64_t enabled = ~uint64_t{0};  // writes: bytes of the transfer that are written
  uint8_t data[kMostBlockBytes] = {};
  Answer* report = nullptr;  // where the answer is wanted, beside the tallies

  unsigned bytes() const { return 1u << size; }
  static Transfer read(uint32_t address, uint8_t size);
  static Transfer fill(uint32_t address, uint8_t size, Random& random);
};

/** Makes the transfers of a run. */
class Source {
 public:
  virtual ~Source() = default;
  virtual bool next(Transfer& transfer) = 0;
};

class Client {
 public:
  Client(uint32_t dataBytes, unsigned ids, uint64_t seed);

  void ask(const Transfer& transfer) { waiting_.push_back(transfer); }

  /** Nobody waits for this answer any more. */
  void forget(const Answer* report);

  /** What the engine has not taken yet is not asked for any more. */
  void withdraw();

  Source* source = nullptr;
  uint32_t idleOneIn = 0;   // a request waits one cycle in so many; 0: never
  uint32_t stallOneIn = 0;  // a beat of an answer waits one cycle in so many; 0: never

  void drive(Inputs& inputs);
  void observe(const Inputs& inputs, const Outputs& outputs);
  bool idle() const { return !sending_ && waiting_.empty() && inFlight_ == 0 && source == nullptr; }

  /** From now on every byte reads as zero until it is written, or as anything. */
  void expect(bool zeros);
  const Image& plain() const { return plain_; }
  bool knows(uint32_t address) const { return *known_.at(address) != 0; }
  void mark();
  void back();
  void reset();

  PadLog* pads = nullptr;
  /** The transfer that was begun in this cycle, or null. */
  const Transfer* begun = nullptr;

  uint64_t answered = 0, denied = 0, wrong = 0;
  /** Beats of reads that were not denied since the last reset, and of them those with a wrong byte. */
  uint64_t readBeats = 0, wrongBeats = 0;
  uint32_t firstWrong = 0;
  Answer last;

 private:
  struct Slot {
    bool busy = false;
    Transfer transfer;
    uint8_t expected[kMostBlockBytes] = {};
    uint64_t known = 0;
    unsigned beats = 0;
    Answer answer;
  };

  bool pick();
  void accept();
  void take(const Response& response);
  void finish(Slot& slot);

  Random random_;
  uint64_t now_ = 0;
  std::deque<Transfer> waiting_;
  std::vector<Slot> slots_;
  unsigned inFlight_ = 0;
  bool sending_ = false;
  unsigned sendingId_ = 0, sendingBeat_ = 0;
  int answering_ = -1;
  Image plain_, known_;
};

}  // namespace hauberk::engine
