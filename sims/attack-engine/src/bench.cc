#include "bench.h"

#include <algorithm>
#include <stdexcept>

#include "reference.h"
#include "traffic.h"

namespace hauberk::engine {

Bench::Bench(const Scheme& s, uint64_t seed)
    : scheme(s),
      random(seed),
      memory(s.localBytes, s.blockBytes, random.next()),
      client(s.dataBytes, s.clientIds, random.next()),
      pads(s.blockBytes),
      steering(s, ~seed) {
  if (scheme.pairs) memory.pads = client.pads = &pads;
  packageKey_ = drawKey();
  model_->reset();
  outputs_ = &model_->settle(inputs);
}

/** The key loader of the SoC: a slot that wants a fresh key gets one, a word a cycle. */
void Bench::serveKeyRequest() {
  // The engine goes on wanting a key until what it derives from it is there
  constexpr unsigned kDerivation = 64;
  if (keyPause_ > 0) keyPause_--;
  if (keyWordsToCome_ == 0 && keyPause_ == 0 && outputs_->wantsKey) {
    keyWordsToCome_ = scheme.keyWords;
    keyPause_ = kDerivation;
  }
  if (keyWordsToCome_ == 0 || inputs.keyWrite) return;
  inputs.keyWrite = true;
  inputs.keySlot = outputs_->wantedSlot;
  inputs.keyWord = static_cast<uint8_t>(scheme.keyWords - keyWordsToCome_--);
  inputs.keyData = random.next();
}

void Bench::tick() {
  const bool commanded = inputs.keyWrite;
  serveKeyRequest();
  memory.drive(inputs);
  client.drive(inputs);
  steering.drive(inputs, client.begun);
  outputs_ = &model_->settle(inputs);
  memory.observe(inputs, *outputs_);
  client.observe(inputs, *outputs_);
  model_->clock();
  if (!commanded) inputs.keyWrite = false;
  cycles++;
}

void Bench::idle(unsigned ticks) {
  for (unsigned i = 0; i < ticks; i++) tick();
}

void Bench::reset() {
  client.reset();
  memory.reset();
  pads.reset();
  steering.reset();
  inputs = Inputs();
  keyWordsToCome_ = 0;
  keyPause_ = 0;
  model_->reset();
  client.expect(scheme.integrity);
  tick();
}

bool Bench::waitInitialised() {
  for (unsigned i = 0; i < 10 * scheme.localBytes / kBeatBytes + 1000; i++) {
    if (status().initialised) return true;
    tick();
  }
  return false;
}

void Bench::writeKeyWord(unsigned slot, unsigned word, uint64_t value) {
  inputs.keyWrite = true;
  inputs.keySlot = static_cast<uint8_t>(slot);
  inputs.keyWord = static_cast<uint8_t>(word);
  inputs.keyData = value;
  if (slot < 2) keys_[slot].words[word] = value;
  tick();
  inputs.keyWrite = false;
}

void Bench::loadKey(unsigned slot, const Key& key) {
  for (unsigned i = 0; i < scheme.keyWords; i++) writeKeyWord(slot, i, key.words[i]);
}

void Bench::zeroizeKey(unsigned slot) {
  inputs.keyZeroize = true;
  inputs.zeroizeSlot = static_cast<uint8_t>(slot);
  tick();
  inputs.keyZeroize = false;
}

void Bench::loadKeys() {
  const Key dynamic = drawKey();
  loadKey(0, packageKey_);
  loadKey(1, dynamic);
}

void Bench::arm() {
  inputs.arm = true;
  tick();
  inputs.arm = false;
}

void Bench::flush() {
  inputs.flush = true;
  tick();
  inputs.flush = false;
  tick();
  for (unsigned i = 0; i < kTimeout && status().flushing; i++) tick();
}

void Bench::check() {
  inputs.check = true;
  tick();
  inputs.check = false;
  tick();
  for (unsigned i = 0; i < 10 * kTimeout && status().checking && !status().halted; i++) tick();
}

void Bench::rest() {
  constexpr unsigned kCalm = 100;
  unsigned calm = 0;
  for (unsigned i = 0; i < kSweepTimeout && calm < kCalm; i++) {
    tick();
    calm = status().rekeying || status().flushing || outputs_->wantsKey ? 0 : calm + 1;
  }
  if (calm < kCalm) throw std::runtime_error("the engine does not come to rest");
}

void Bench::boot() {
  reset();
  if (!waitInitialised()) throw std::runtime_error("the engine does not finish its initialisation");
  loadKeys();
  for (unsigned i = 0; i < 1000 && (status().usable & 3) != 3; i++) tick();
  idle(64);  // hash and tweak keys are derived from the keys
  arm();
  tick();
  if (!status().armed) throw std::runtime_error("the engine cannot be armed");
}

bool Bench::drain(unsigned timeout) {
  uint64_t answered = client.answered;
  unsigned left = timeout, sweeping = kSweepTimeout;
  while (!client.idle() || !memory.idle()) {
    // When timestamps are short, what is asked for waits until all memory is re-encrypted
    unsigned& spent = status().rekeying ? sweeping : left;
    if (spent-- == 0) return false;
    tick();
    if (client.answered != answered) {
      answered = client.answered;
      left = timeout;
      sweeping = kSweepTimeout;
    }
  }
  return true;
}

Answer Bench::run(const Transfer& transfer) {
  client.ask(transfer);
  if (drain()) return client.last;
  Answer none;
  none.denied = true;
  return none;
}

bool Bench::traffic(uint32_t count) {
  RandomTraffic source(scheme, count, random);
  client.source = &source;
  const bool done = drain();
  client.source = nullptr;
  return done;
}

void Bench::runTicks(unsigned ticks) {
  for (unsigned i = 0; i < ticks && !status().halted; i++) tick();
}

void Bench::mark() {
  memory.mark();
  client.mark();
  pads.mark();
  std::copy(keys_, keys_ + 2, markedKeys_);
  state_ = model_->save();
}

void Bench::back() {
  memory.interposer = nullptr;
  memory.back();
  client.back();
  pads.back();
  std::copy(markedKeys_, markedKeys_ + 2, keys_);
  steering.reset();
  inputs = Inputs();
  keyWordsToCome_ = 0;
  keyPause_ = 0;
  model_->restore(state_);
  tick();
}

Key Bench::drawKey() {
  Key key;
  for (uint64_t& word : key.words) word = random.next();
  return key;
}

uint32_t Bench::pairIn(const Image& image, uint32_t block) const {
  const uint32_t at = scheme.pairAddress(block);
  return static_cast<uint32_t>(image.word(at) >> 8 * (at % 8));
}

bool Bench::memoryDecrypts() {
  constexpr unsigned kAesBlock = std::tuple_size<AesBlock>::value;
  flush();
  drain();
  for (uint32_t block = 0; block < scheme.blocks(); block++) {
    const uint32_t pair = pairIn(memory.stored, block);
    AesBlock pad;
    for (uint32_t i = 0; i < scheme.blockBytes; i++) {
      if (i % kAesBlock == 0) pad = dataPad(keys_[pair == 0 ? 0 : 1].words, block, pair, i / kAesBlock);
      const uint32_t at = block * scheme.blockBytes + i;
      const uint8_t plain = *memory.stored.at(at) ^ pad[i % kAesBlock];
      if (client.knows(at) && plain != *client.plain().at(at)) return false;
    }
  }
  return true;
}

Outcome Bench::judge() {
  drain(4000);
  if (!status().alarm && scheme.detection == Detection::Later) {
    for (unsigned i = 0; i < kSpeculationWindow && !status().alarm && (i < 64 || status().unverified); i++) tick();
  }
  if (scheme.detection == Detection::Check) {
    // What became false after a check had passed it is found by the next one
    for (int i = 0; i < 2 && !status().alarm; i++) check();
  }
  if (pads.repeated) return Outcome::Missed;
  const bool early = client.wrong > 0 && scheme.detection == Detection::Answer;
  if (early) return Outcome::Missed;
  if (status().alarm)
    return status().halted && status().cause != 0 && failsClosed() ? Outcome::Detected : Outcome::Missed;
  if (client.wrong > 0) return Outcome::Missed;
  if (client.denied > 0) return Outcome::Detected;
  return memory.lies == 0 ? Outcome::NoEffect : Outcome::Harmless;
}

/** After a violation nothing is served any more. */
bool Bench::failsClosed() {
  drain(4000);
  const uint32_t block = random.below(scheme.blocks());
  return readBlock(block).denied && run(fillOf(block)).denied;
}

}  // namespace hauberk::engine
