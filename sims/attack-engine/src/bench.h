// One engine with its client and its memory, and the judgement of what became of an attack.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "client.h"
#include "memory.h"
#include "model.h"
#include "pads.h"
#include "scheme.h"
#include "steering.h"
#include "tally.h"

namespace hauberk::engine {

struct Key {
  uint64_t words[4] = {};
};

class Bench {
 public:
  Bench(const Scheme& scheme, uint64_t seed);

  const Scheme& scheme;
  Random random;
  Memory memory;
  Client client;
  PadLog pads;  // of schemes with pairs
  Steering steering;
  Inputs inputs;  // commands are set here for one cycle by the functions below
  uint64_t cycles = 0;
  /** What an attempt measured: bits that addresses told before the alarm, and cycles from the first beat that was used
   * unverified to the alarm.
   */
  std::optional<uint64_t> leakedBits, alarmAfter;
  const Status& status() const { return outputs_->status; }

  void tick();
  void idle(unsigned ticks);
  /** Resets the engine. What memory holds stays; what the client wrote is lost. */
  void reset();
  /** Reset, wait until initialised, keys, arm. */
  void boot();
  bool waitInitialised();
  void writeKeyWord(unsigned slot, unsigned word, uint64_t value);
  void loadKey(unsigned slot, const Key& key);
  void zeroizeKey(unsigned slot);
  /** The package's key, which every boot has, and a fresh one. */
  void loadKeys();
  void arm();
  void flush();
  void check();
  /** Until no re-encryption is due or under way, which writes to memory of itself. */
  void rest();

  Key drawKey();

  /** Of a scheme with pairs: a block's, in the memory or in that of an honest one. */
  uint32_t pairIn(const Image& image, uint32_t block) const;
  /** Of a scheme with pairs: whether memory, under the pairs that it holds, decrypts to what the client wrote. */
  bool memoryDecrypts();

  /** Until every transfer is answered; false if that takes too long. */
  bool drain(unsigned timeout = kTimeout);
  /** Asks for one transfer, waits for its answer. Denied if there is none. */
  Answer run(const Transfer& transfer);
  Answer readBlock(uint32_t block) { return run(readOf(block)); }
  /** Of a whole block; what is written is drawn. */
  Transfer readOf(uint32_t block) const { return Transfer::read(block * scheme.blockBytes, scheme.blockSize()); }
  Transfer fillOf(uint32_t block) { return Transfer::fill(block * scheme.blockBytes, scheme.blockSize(), random); }
  /** Runs `count` random transfers to their end. */
  bool traffic(uint32_t count);
  /** Runs at most `ticks` cycles, or until `halted`. */
  void runTicks(unsigned ticks);

  /** A state to come back to; nothing may be in flight. */
  void mark();
  void back();

  Outcome judge();

 private:
  static constexpr unsigned kTimeout = 20000;
  static constexpr unsigned kSweepTimeout = 400000;  // a thousand blocks, and memory of a hundred cycles
  static constexpr unsigned kSpeculationWindow = 4000;
  bool failsClosed();
  void serveKeyRequest();

  std::unique_ptr<Model> model_ = makeModel();
  const Outputs* outputs_ = nullptr;
  std::vector<uint8_t> state_;
  unsigned keyWordsToCome_ = 0;
  unsigned keyPause_ = 0;  // cycles until it is asked again whether it wants one
  Key packageKey_;
  Key keys_[2], markedKeys_[2];  // as they were written last: of the package, and dynamic
};

}  // namespace hauberk::engine
