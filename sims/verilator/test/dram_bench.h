// A master for the DRAM model's unit tests: drives requests and notes in which cycle each answer came.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dram_model.h"

namespace hauberk {

constexpr uint64_t kBase = 0x80000000;
constexpr uint64_t kBytes = 1 << 16;
constexpr uint64_t kDataBytes = 3 << 14;

struct SeenReadBeat {
  uint64_t cycle;
  uint32_t id;
  uint64_t data;
  uint8_t response;
  bool last;
};

struct SeenResponse {
  uint64_t cycle;
  uint32_t id;
  uint8_t response;
};

inline std::vector<uint64_t> cyclesOf(const std::vector<SeenReadBeat>& beats) {
  std::vector<uint64_t> cycles;
  for (const auto& beat : beats) cycles.push_back(beat.cycle);
  return cycles;
}

class DramBench {
 public:
  explicit DramBench(const DramTiming& timing) : dram(storage, traffic, watch, timing) {}

  void read(uint64_t address, int beats, uint32_t id = 0, uint8_t size = 3) {
    reads_.push_back({true, id, address, static_cast<uint8_t>(beats - 1), size, 1});
  }
  void write(uint64_t address, const std::vector<uint64_t>& data, uint32_t id = 0, uint8_t strobe = 0xff) {
    writes_.push_back({true, id, address, static_cast<uint8_t>(data.size() - 1), 3, 1});
    for (size_t i = 0; i < data.size(); i++) beats_.push_back({true, data[i], strobe, i + 1 == data.size()});
  }

  /** Runs for so many cycles; cycle 0 is the first in which a request can be taken. */
  void run(uint64_t cycles, bool rReady = true, bool bReady = true) {
    for (const uint64_t end = cycle + cycles; cycle < end; cycle++) step(rReady, bReady);
  }

  DramStorage storage{kBase, kBytes, 0};
  TrafficCounter traffic{kBase + kDataBytes};
  PlaintextWatch watch;
  DramModel dram;
  uint64_t cycle = 0;
  std::vector<SeenReadBeat> readBeats;
  std::vector<SeenResponse> responses;
  std::vector<uint64_t> readsTaken;
  std::vector<uint64_t> writesTaken;
  std::vector<uint64_t> writeBeatsTaken;

 private:
  void step(bool rReady, bool bReady) {
    const AxiSlavePins slave = dram.pins();
    AxiMasterPins master;
    if (!reads_.empty()) master.ar = reads_.front();
    if (!writes_.empty()) master.aw = writes_.front();
    if (!beats_.empty()) master.w = beats_.front();
    master.rReady = rReady;
    master.bReady = bReady;
    if (slave.rValid && rReady) {
      readBeats.push_back({cycle, slave.rId, slave.rData, slave.rResponse, slave.rLast});
    }
    if (slave.bValid && bReady) responses.push_back({cycle, slave.bId, slave.bResponse});
    if (slave.arReady && take(reads_)) readsTaken.push_back(cycle);
    if (slave.awReady && take(writes_)) writesTaken.push_back(cycle);
    if (slave.wReady && take(beats_)) writeBeatsTaken.push_back(cycle);
    dram.clock(master);
  }

  template <class T>
  static bool take(std::deque<T>& queue) {
    if (queue.empty()) return false;
    queue.pop_front();
    return true;
  }

  std::deque<AxiAddress> reads_, writes_;
  std::deque<AxiWriteBeat> beats_;
};

}  // namespace hauberk
