// Timing model of one DRAM channel behind an AXI4 port with 64-bit beats.
//
// The parameters are those of AEGIS (ICS'03) table 2: cycles from a request to its first chunk, cycles per chunk, and
// separate address and data buses. So requests never wait for data, and up to `outstanding` reads and as many writes
// are in flight; the latencies of those in flight overlap. The one data bus is shared by both directions, as the pins
// of a DRAM are: each beat holds it for `cyclesPerBeat`. Reads are answered in the order of their requests, and so are
// writes, unless somebody wants it otherwise. A burst keeps the bus while it has a beat to move; at its end the other
// direction, if it waits, is next.
//
// Reads and writes have separate limits because a protector may need a read (a counter) before it can send the data of
// a write already announced: a shared limit could then block for ever.
//
// An interposer may hold the answer to a read: those to other identifiers pass it, and it takes no place among those in
// flight. With `reorder`, each read takes up to twice the latency, and answers to different identifiers come in any
// order. Answers to one identifier keep the order of their requests, as AXI4 wants it. With `jitter`, reads take a
// little more: runs that differ in its seed alone show how far cycles depend on chance (Alameldeen and Wood, HPCA'03).
//
// With a write queue, the controller takes a beat of a write a cycle while there is room, and answers when it has the
// last; what it holds crosses the bus in bursts when no read is in flight, or when the queue is full.
#pragma once

#include <cstdint>
#include <deque>

#include "address_log.h"
#include "axi.h"
#include "memory_interposer.h"
#include "dram_storage.h"
#include "plaintext_watch.h"
#include "random.h"
#include "traffic.h"

namespace hauberk {

struct DramTiming {
  uint64_t latency = 80;  // cycles from the cycle that takes the address to the cycle of the first beat, at least 1
  uint64_t cyclesPerBeat = 5;  // of the data bus, at least 1
  uint64_t outstanding = 8;    // reads in flight, and writes in flight; at least 1
  uint64_t writeQueue = 0;     // bursts of eight beats; 0: each beat of a write waits for the bus
  uint64_t busBytes = 8;       // width of the data bus, at most 8: a wider transfer takes several of its beats
  uint64_t reorder = 0;        // seed of the order in which reads are answered; 0: that of their requests
  uint64_t jitter = 0;         // seed of 0 to 3 cycles that each read takes more; 0: none does
};

/** Cycles of the registers at the SoC's memory port (SimTop), there and back. */
constexpr uint64_t kMemoryPortCycles = 2;

class DramModel {
 public:
  DramModel(DramStorage& storage, TrafficCounter& traffic, PlaintextWatch& watch, const DramTiming& timing);

  /** From now on every request is written down. */
  void log(AddressLog& log) { log_ = &log; }

  /** From now on somebody sits on the bus. */
  void interpose(MemoryInterposer& interposer) { interposer_ = &interposer; }

  /** What the memory drives in the current cycle. */
  const AxiSlavePins& pins() const { return pins_; }

  /** Ends the current cycle, in which the SoC drove `master`, and settles the pins of the next one. */
  void clock(const AxiMasterPins& master);

 private:
  struct Burst {
    uint32_t id = 0;
    uint64_t address = 0;
    uint64_t beatsLeft = 0;
    uint64_t requested = 0;  // address, beats and bytes of the request
    uint64_t beats = 0;
    uint64_t bytes = 0;
    bool zeros = true;  // the beats written so far are all whole and zero
    uint8_t size = 0;
    bool inside = false;    // all of it lies in the DRAM
    bool lost = false;      // a write that somebody keeps from the DRAM
    bool held = false;      // a read that others pass
    uint64_t dueCycle = 0;  // reads: the first beat cannot come earlier
  };
  struct ReadBeat {
    uint32_t id;
    uint64_t data;
    uint8_t response;
    bool last;
  };
  struct WriteResponse {
    uint32_t id;
    uint8_t response;
  };
  enum class Owner { None, Read, Write };

  Burst accept(const AxiAddress& request, bool write);
  void takeResponses(const AxiMasterPins& master);
  void takeWriteBeat(const AxiWriteBeat& beat);
  void takeRequests(const AxiMasterPins& master);
  void grantBus(bool writeWaits);
  void grantBusToQueue();
  /** The cycle of a read's first beat, and whether it is held until then. */
  uint64_t due(Burst& burst);
  /** Whether a read has a beat to move; if so, its burst is the first of them. */
  bool readWaits();
  void moveReadBeat();
  void settlePins();

  /** Cycles for which a transfer of 2^size bytes holds the data bus. */
  uint64_t holds(uint8_t size) const;

  DramStorage& storage_;
  TrafficCounter& traffic_;
  PlaintextWatch& watch_;
  const DramTiming timing_;
  MemoryInterposer* interposer_ = nullptr;
  AddressLog* log_ = nullptr;
  Random random_;

  uint64_t now_ = 0;
  std::deque<uint64_t> queuedBeats_;  // in the write queue: cycles for which each holds the bus
  uint64_t leavingBeats_ = 0;         // of them, in the burst that crosses the bus
  uint64_t busFreeAt_ = 0;
  Owner owner_ = Owner::None;       // who moves the burst that is under way
  Owner lastOwner_ = Owner::None;   // who moved the burst before
  uint64_t readsInFlight_ = 0;      // until their last beat is taken
  uint64_t held_ = 0;               // of them, those that somebody holds
  uint64_t writesInFlight_ = 0;     // until their response is taken
  std::deque<Burst> reads_;         // with beats still to cross the bus
  std::deque<Burst> writes_;        // with beats still to cross the bus
  std::deque<ReadBeat> readBeats_;  // crossed the bus, not yet taken by the SoC
  std::deque<WriteResponse> writeResponses_;
  AxiSlavePins pins_;
};

}  // namespace hauberk
