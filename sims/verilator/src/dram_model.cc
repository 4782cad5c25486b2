#include "dram_model.h"

#include <algorithm>
#include <sstream>

#include "user_error.h"

namespace hauberk {

namespace {

constexpr uint64_t kBeatBytes = 8;
constexpr uint8_t kAllBytes = 0xff;   // strobe of a whole beat
constexpr uint64_t kQueuedBurst = 8;  // beats
constexpr uint32_t kMostJitter = 3;   // cycles

uint64_t nextBeatAddress(uint64_t address, uint8_t size) {
  const uint64_t bytes = uint64_t{1} << size;
  return (address & ~(bytes - 1)) + bytes;
}

}  // namespace

DramModel::DramModel(DramStorage& storage, TrafficCounter& traffic, PlaintextWatch& watch, const DramTiming& timing)
    : storage_(storage), traffic_(traffic), watch_(watch), timing_(timing), random_(timing.reorder ^ timing.jitter) {
  if (timing.latency < 1 || timing.cyclesPerBeat < 1 || timing.outstanding < 1) {
    throw UserError("DRAM latency, cycles per beat and outstanding requests must each be at least 1");
  }
  if (timing.busBytes != 1 && timing.busBytes != 2 && timing.busBytes != 4 && timing.busBytes != 8) {
    throw UserError("the DRAM's data bus has 1, 2, 4 or 8 bytes: change --dram-bus");
  }
  settlePins();
}

DramModel::Burst DramModel::accept(const AxiAddress& request, bool write) {
  const uint64_t beats = uint64_t{request.length} + 1;
  if ((beats > 1 && request.burst != 1) || request.size > 3) {
    std::ostringstream message;
    message << "the SoC made an AXI4 request this DRAM model does not serve: burst type " << int(request.burst)
            << ", beats of 2^" << int(request.size) << " bytes (only incrementing bursts of up to 8-byte beats)";
    throw std::runtime_error(message.str());
  }
  const uint64_t size = uint64_t{1} << request.size;
  const uint64_t bytes = beats * size - (request.address & (size - 1));
  Burst burst;
  burst.id = request.id;
  burst.address = request.address;
  burst.beatsLeft = beats;
  burst.requested = request.address;
  burst.beats = beats;
  burst.bytes = bytes;
  burst.size = request.size;
  burst.inside = storage_.contains(request.address) && storage_.contains(request.address + bytes - 1);
  if (burst.inside && interposer_ != nullptr) {
    burst.address = interposer_->route(request.address);
    burst.lost = write && interposer_->loses(request.address);
  }
  if (!write) burst.dueCycle = due(burst);
  if (log_ != nullptr) log_->note({now_, request.address, bytes, request.id, write});
  if (burst.inside && !write) traffic_.read(request.address, beats, bytes);
  return burst;
}

uint64_t DramModel::due(Burst& burst) {
  uint64_t due = now_ + timing_.latency;
  if (timing_.reorder != 0) due += random_.below(static_cast<uint32_t>(timing_.latency) + 1);
  if (timing_.jitter != 0) due += random_.below(kMostJitter + 1);
  if (!burst.inside || interposer_ == nullptr) return due;
  due += interposer_->delay(burst.requested);
  const uint64_t cycles = interposer_->hold(burst.requested, burst.bytes);
  burst.held = cycles > 0;
  if (burst.held) held_++;
  return cycles == kForEver ? kForEver : due + cycles;
}

void DramModel::takeResponses(const AxiMasterPins& master) {
  if (pins_.rValid && master.rReady) {
    if (readBeats_.front().last) readsInFlight_--;
    readBeats_.pop_front();
  }
  if (pins_.bValid && master.bReady) {
    writesInFlight_--;
    writeResponses_.pop_front();
  }
}

void DramModel::takeWriteBeat(const AxiWriteBeat& beat) {
  Burst& burst = writes_.front();
  if (timing_.writeQueue > 0) {
    queuedBeats_.push_back(holds(burst.size));
  } else {
    busFreeAt_ = now_ + holds(burst.size);
    owner_ = Owner::Write;
  }
  if (burst.inside && !burst.lost) {
    watch_.written(burst.address & ~(kBeatBytes - 1), storage_.write(burst.address, beat.data, beat.strobe));
  }
  burst.zeros = burst.zeros && beat.data == 0 && beat.strobe == kAllBytes;
  burst.address = nextBeatAddress(burst.address, burst.size);
  burst.beatsLeft--;
  if (beat.last != (burst.beatsLeft == 0)) {
    throw std::runtime_error("the SoC's AXI4 write burst does not end (WLAST) where its length says");
  }
  if (burst.beatsLeft == 0) {
    if (burst.inside) traffic_.write(burst.requested, burst.beats, burst.bytes, burst.zeros);
    writeResponses_.push_back({burst.id, burst.inside ? kAxiOkay : kAxiDecodeError});
    writes_.pop_front();
    if (timing_.writeQueue == 0) {
      owner_ = Owner::None;
      lastOwner_ = Owner::Write;
    }
  }
}

void DramModel::takeRequests(const AxiMasterPins& master) {
  if (pins_.arReady && master.ar.valid) {
    reads_.push_back(accept(master.ar, false));
    readsInFlight_++;
  }
  if (pins_.awReady && master.aw.valid) {
    writes_.push_back(accept(master.aw, true));
    writesInFlight_++;
  }
}

uint64_t DramModel::holds(uint8_t size) const {
  return timing_.cyclesPerBeat * std::max<uint64_t>(1, (uint64_t{1} << size) / timing_.busBytes);
}

bool DramModel::readWaits() {
  if (owner_ == Owner::Read) return true;
  auto first = reads_.end();
  for (auto read = reads_.begin(); read != reads_.end(); ++read) {
    const auto same = [&](const Burst& earlier) { return earlier.id == read->id; };
    if (std::any_of(reads_.begin(), read, same)) continue;
    if (read->dueCycle <= now_ && (first == reads_.end() || read->dueCycle < first->dueCycle)) first = read;
    if (timing_.reorder == 0 && !read->held) break;
  }
  if (first == reads_.end()) return false;
  std::rotate(reads_.begin(), first, first + 1);
  return true;
}

void DramModel::moveReadBeat() {
  Burst& burst = reads_.front();
  if (burst.held) held_--;
  burst.held = false;
  busFreeAt_ = now_ + holds(burst.size);
  owner_ = Owner::Read;
  burst.beatsLeft--;
  const bool last = burst.beatsLeft == 0;
  readBeats_.push_back(
      {burst.id, burst.inside ? storage_.read(burst.address) : 0, burst.inside ? kAxiOkay : kAxiDecodeError, last});
  burst.address = nextBeatAddress(burst.address, burst.size);
  if (last) {
    reads_.pop_front();
    owner_ = Owner::None;
    lastOwner_ = Owner::Read;
  }
}

/** The same with a write queue, which takes beats whether the bus is free or not. */
void DramModel::grantBusToQueue() {
  const bool full = queuedBeats_.size() >= timing_.writeQueue * kQueuedBurst;
  pins_.wReady = !writes_.empty() && !full;
  if (now_ < busFreeAt_) return;
  if (leavingBeats_ == 0 && owner_ != Owner::Read && (reads_.size() == held_ || full)) {
    leavingBeats_ = std::min<uint64_t>(queuedBeats_.size(), kQueuedBurst);
  }
  if (leavingBeats_ > 0) {
    leavingBeats_--;
    busFreeAt_ = now_ + queuedBeats_.front();
    queuedBeats_.pop_front();
  } else if (readWaits()) {
    moveReadBeat();
  }
}

/** Gives the data bus of the new cycle away. `writeWaits`: the SoC was sending write beats in the cycle before. */
void DramModel::grantBus(bool writeWaits) {
  pins_.wReady = false;
  if (now_ < busFreeAt_) return;
  const bool writePossible = !writes_.empty();
  writeWaits = writeWaits && writePossible;
  const bool preferRead = owner_ == Owner::Read || (owner_ == Owner::None && lastOwner_ == Owner::Write);
  if ((preferRead || !writeWaits) && readWaits()) {
    moveReadBeat();
  } else {
    pins_.wReady = writePossible;
  }
}

void DramModel::settlePins() {
  pins_.arReady = readsInFlight_ - held_ < timing_.outstanding;
  pins_.awReady = writesInFlight_ < timing_.outstanding;
  pins_.rValid = !readBeats_.empty();
  if (pins_.rValid) {
    const ReadBeat& beat = readBeats_.front();
    pins_.rId = beat.id;
    pins_.rData = beat.data;
    pins_.rResponse = beat.response;
    pins_.rLast = beat.last;
  }
  pins_.bValid = !writeResponses_.empty();
  if (pins_.bValid) {
    pins_.bId = writeResponses_.front().id;
    pins_.bResponse = writeResponses_.front().response;
  }
}

void DramModel::clock(const AxiMasterPins& master) {
  takeResponses(master);
  if (pins_.wReady && master.w.valid) takeWriteBeat(master.w);
  takeRequests(master);
  now_++;
  if (timing_.writeQueue > 0) {
    grantBusToQueue();
  } else {
    grantBus(master.w.valid);
  }
  settlePins();
}

}  // namespace hauberk
