#include "client.h"

#include <stdexcept>
#include <string>

namespace hauberk::engine {

Transfer Transfer::read(uint32_t address, uint8_t size) {
  Transfer transfer;
  transfer.address = address;
  transfer.size = size;
  return transfer;
}

Transfer Transfer::fill(uint32_t address, uint8_t size, Random& random) {
  Transfer transfer;
  transfer.write = true;
  transfer.address = address;
  transfer.size = size;
  for (unsigned i = 0; i < kMostBlockBytes; i += 8) {
    const uint64_t word = random.next();
    std::memcpy(transfer.data + i, &word, 8);
  }
  return transfer;
}

Client::Client(uint32_t dataBytes, unsigned ids, uint64_t seed)
    : random_(seed), slots_(ids), plain_(dataBytes), known_(dataBytes) {}

void Client::expect(bool zeros) {
  for (uint32_t i = 0; i < plain_.size(); i++) {
    plain_.put(i, 0);
    known_.put(i, zeros);
  }
}

void Client::mark() {
  plain_.mark();
  known_.mark();
}

void Client::back() {
  plain_.back();
  known_.back();
  reset();
}

void Client::reset() {
  waiting_.clear();
  source = nullptr;
  for (Slot& slot : slots_) slot.busy = false;
  inFlight_ = 0;
  sending_ = false;
  begun = nullptr;
  answering_ = -1;
  answered = denied = wrong = 0;
  readBeats = wrongBeats = 0;
}

void Client::forget(const Answer* report) {
  for (Slot& slot : slots_) {
    if (slot.transfer.report == report) slot.transfer.report = nullptr;
  }
  for (Transfer& transfer : waiting_) {
    if (transfer.report == report) transfer.report = nullptr;
  }
}

void Client::withdraw() {
  waiting_.clear();
  if (!sending_ || sendingBeat_ > 0) return;
  slots_[sendingId_].busy = false;
  inFlight_--;
  sending_ = false;
}

/** Begins the next transfer, if there is one and an identifier for it. */
bool Client::pick() {
  if (inFlight_ == slots_.size()) return false;
  Transfer next;
  if (!waiting_.empty()) {
    next = waiting_.front();
    waiting_.pop_front();
  } else if (source == nullptr) {
    return false;
  } else if (!source->next(next)) {
    source = nullptr;
    return false;
  }
  unsigned id = random_.below(static_cast<uint32_t>(slots_.size()));
  while (slots_[id].busy) id = (id + 1) % slots_.size();
  Slot& slot = slots_[id];
  slot.busy = true;
  slot.transfer = next;
  slot.beats = 0;
  slot.answer = Answer();
  inFlight_++;
  sending_ = true;
  sendingId_ = id;
  sendingBeat_ = 0;
  return true;
}

void Client::drive(Inputs& inputs) {
  inputs.clientReady = stallOneIn == 0 || !random_.oneIn(stallOneIn);
  Request& request = inputs.client;
  begun = nullptr;
  if (!sending_ && pick()) begun = &slots_[sendingId_].transfer;
  request.valid = sending_ && (idleOneIn == 0 || !random_.oneIn(idleOneIn));
  if (!request.valid) return;
  const Transfer& transfer = slots_[sendingId_].transfer;
  request.write = transfer.write;
  request.partial = transfer.partial;
  request.address = transfer.address;
  request.size = transfer.size;
  request.id = static_cast<uint16_t>(sendingId_);
  request.mask = 0;
  request.data = 0;
  const uint32_t beat = (transfer.address & ~7u) + sendingBeat_ * kBeatBytes;
  for (unsigned lane = 0; lane < kBeatBytes; lane++) {
    const uint32_t offset = beat + lane - transfer.address;
    if (offset >= transfer.bytes()) continue;
    if (!transfer.write || (transfer.enabled >> offset & 1)) request.mask |= static_cast<uint8_t>(1u << lane);
    if (transfer.write) request.data |= uint64_t{transfer.data[offset]} << (8 * lane);
  }
}

/** The engine took the first beat: from here on the transfer has its place in the order of its block. */
void Client::accept() {
  Slot& slot = slots_[sendingId_];
  const Transfer& transfer = slot.transfer;
  slot.answer.asked = now_;
  if (transfer.address >= plain_.size()) {
    slot.known = 0;
    return;
  }
  for (unsigned i = 0; i < transfer.bytes(); i++) {
    const uint32_t at = transfer.address + i;
    if (!transfer.write) {
      slot.expected[i] = *plain_.at(at);
      slot.known = (slot.known & ~(uint64_t{1} << i)) | uint64_t{*known_.at(at)} << i;
    } else if (transfer.enabled >> i & 1) {
      plain_.put(at, transfer.data[i]);
      known_.put(at, 1);
    }
  }
  if (transfer.write && pads != nullptr) pads->written(transfer.address, plain_, known_);
}

void Client::observe(const Inputs& inputs, const Outputs& outputs) {
  if (inputs.client.valid && outputs.clientReady) {
    if (sendingBeat_ == 0) accept();
    sending_ = ++sendingBeat_ < inputs.client.requestBeats();
  }
  if (outputs.client.valid && inputs.clientReady) take(outputs.client);
  now_++;
}

void Client::take(const Response& response) {
  if (response.id >= slots_.size() || !slots_[response.id].busy) {
    throw std::runtime_error("the engine answered identifier " + std::to_string(response.id) + ", which is not in use");
  }
  if (answering_ >= 0 && answering_ != response.id) throw std::runtime_error("the engine mixed two answers");
  Slot& slot = slots_[response.id];
  const Transfer& transfer = slot.transfer;
  if (response.write != transfer.write || response.size != transfer.size) {
    throw std::runtime_error("the engine's answer is of another kind than the request");
  }
  if (slot.beats == 0) slot.answer.firstBeat = now_;
  slot.answer.lastBeat = now_;
  slot.answer.denied |= response.denied;
  const uint32_t beat = (transfer.address & ~7u) + slot.beats * kBeatBytes;
  bool wrongBeat = false;
  for (unsigned lane = 0; lane < kBeatBytes && !response.write; lane++) {
    const uint32_t offset = beat + lane - transfer.address;
    if (offset >= transfer.bytes()) continue;
    const auto value = static_cast<uint8_t>(response.data >> (8 * lane));
    slot.answer.data[offset] = value;
    if (!response.denied && (slot.known >> offset & 1) && value != slot.expected[offset]) wrongBeat = true;
  }
  slot.answer.wrong |= wrongBeat;
  readBeats += !response.write && !response.denied;
  wrongBeats += wrongBeat;
  slot.beats++;
  const unsigned beats = transfer.write || transfer.size <= 3 ? 1 : transfer.bytes() / kBeatBytes;
  answering_ = slot.beats < beats ? response.id : -1;
  if (answering_ < 0) finish(slot);
}

void Client::finish(Slot& slot) {
  slot.busy = false;
  slot.answer.come = true;
  inFlight_--;
  answered++;
  last = slot.answer;
  const Transfer& transfer = slot.transfer;
  if (transfer.report != nullptr) *transfer.report = slot.answer;
  if (slot.answer.wrong && wrong++ == 0) firstWrong = transfer.address;
  if (!slot.answer.denied) return;
  denied++;
  if (!transfer.write || transfer.address >= plain_.size()) return;
  for (unsigned i = 0; i < transfer.bytes(); i++) known_.put(transfer.address + i, 0);
}

}  // namespace hauberk::engine
