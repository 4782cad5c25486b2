#include "memory.h"

#include <stdexcept>
#include <string>

namespace hauberk::engine {

void Memory::fillWithNoise(Random& random) {
  for (uint32_t at = 0; at < stored.size(); at += 8) {
    const uint64_t word = random.next();
    stored.write(at, reinterpret_cast<const uint8_t*>(&word), 8);
    honest.write(at, reinterpret_cast<const uint8_t*>(&word), 8);
  }
}

void Memory::mark() {
  if (!idle()) throw std::logic_error("the memory is marked with transfers in flight");
  stored.mark();
  honest.mark();
}

void Memory::back() {
  stored.back();
  honest.back();
  reset();
}

void Memory::reset() {
  replies_.clear();
  hasCurrent_ = false;
  burstBeat_ = 0;
  currentBeat_ = 0;
  lies = 0;
  std::memset(inFlight_, 0, sizeof inFlight_);
}

void Memory::release() {
  for (Reply& reply : replies_) {
    if (reply.held) reply.due = now_;
  }
}

void Memory::choose() {
  if (hasCurrent_ || replies_.empty()) return;
  for (size_t i = 0; i < replies_.size(); i++) {
    if (replies_[i].held && replies_[i].due > now_) continue;
    if (replies_[i].due <= now_ && (timing.inOrder || i + 1 == replies_.size() || random_.oneIn(2))) {
      current_ = replies_[i];
      replies_.erase(replies_.begin() + static_cast<long>(i));
      hasCurrent_ = true;
      currentBeat_ = 0;
      return;
    }
    if (timing.inOrder) return;
  }
}

void Memory::drive(Inputs& inputs) {
  choose();
  const bool stalls = timing.stallOneIn != 0;
  inputs.memoryReady = ready_ = !stalls || !random_.oneIn(timing.stallOneIn);
  Response& response = inputs.memory;
  response.valid = hasCurrent_ && (!stalls || !random_.oneIn(timing.stallOneIn));
  if (!response.valid) return;
  response.write = current_.write;
  response.id = current_.id;
  response.size = current_.size;
  response.denied = current_.denied;
  response.data = current_.write ? 0 : current_.data[currentBeat_];
}

void Memory::observe(const Inputs& inputs, const Outputs& outputs) {
  now_++;
  if (inputs.memory.valid && outputs.memoryReady) {
    if (!current_.write && isFalse(currentBeat_) && lies++ == 0) {
      firstLie = current_.address;
    }
    if (++currentBeat_ == current_.beats) {
      hasCurrent_ = false;
      if (inFlight_[current_.id] != 0) inFlight_[current_.id]--;
    }
  }
  if (inputs.memoryReady && outputs.memory.valid) take(outputs.memory);
}

/** Of a part of a beat, only the bytes that were asked for count. */
bool Memory::isFalse(unsigned beat) const {
  const unsigned bytes = 1u << current_.size;
  const uint64_t asked =
      bytes >= kBeatBytes ? ~uint64_t{0} : ((uint64_t{1} << 8 * bytes) - 1) << 8 * (current_.address % kBeatBytes);
  return ((current_.data[beat] ^ current_.honest[beat]) & asked) != 0;
}

void Memory::take(const Request& request) {
  if (burstBeat_ == 0) begin(request);
  if (burstBeat_ == 0 && log != nullptr) log->push_back({now_, request.address, request.write});
  if (request.write) {
    takeWriteBeat(request);
  } else {
    if (burstBeat_ != 0) throw std::runtime_error("the engine broke a burst of writes with a read");
    takeRead(request);
  }
}

void Memory::begin(const Request& request) {
  if (request.address >= stored.size()) throw std::runtime_error("the engine left its bank");
  if (inFlight_[request.id]++ != 0) {
    throw std::runtime_error("the engine used identifier " + std::to_string(request.id) + " again before its answer");
  }
}

void Memory::answer(Reply reply) {
  reply.due = now_ + timing.latency - 1 + (timing.jitter == 0 ? 0 : random_.below(timing.jitter + 1));
  if (interposer == nullptr || interposer->passes(reply)) replies_.push_back(reply);
}

void Memory::takeWriteBeat(const Request& request) {
  const unsigned beats = request.beats();
  if (burstBeat_ == 0) {
    burst_ = request;
    burstCell_ = interposer == nullptr ? request.address : interposer->route(request.address, true);
    burstLost_ = interposer != nullptr && interposer->loses(request.address);
    writes++;
  }
  const uint32_t offset = burstBeat_ * kBeatBytes;
  const auto* bytes = reinterpret_cast<const uint8_t*>(&request.data);
  for (unsigned lane = 0; lane < kBeatBytes; lane++) {
    if ((request.mask >> lane & 1) == 0) continue;
    if (!burstLost_) stored.put((burstCell_ & ~7u) + offset + lane, bytes[lane]);
    honest.put((burst_.address & ~7u) + offset + lane, bytes[lane]);
  }
  if (++burstBeat_ < beats) return;
  burstBeat_ = 0;
  if (request.bytes() == blockBytes_) {
    if (watcher != nullptr) watcher->lineWritten(burst_.address, honest.at(burst_.address));
    if (pads != nullptr) pads->stored(burst_.address, honest.at(burst_.address));
  }
  Reply reply;
  reply.write = true;
  reply.id = request.id;
  reply.size = request.size;
  reply.address = request.address;
  answer(reply);
}

void Memory::takeRead(const Request& request) {
  const uint32_t cell = interposer == nullptr ? request.address : interposer->route(request.address, false);
  Reply reply;
  reply.id = request.id;
  reply.size = request.size;
  reply.address = request.address;
  reply.beats = request.beats();
  for (unsigned i = 0; i < reply.beats; i++) {
    reply.data[i] = stored.word(cell + i * kBeatBytes);
    reply.honest[i] = honest.word(request.address + i * kBeatBytes);
  }
  reads++;
  answer(reply);
}

}  // namespace hauberk::engine
