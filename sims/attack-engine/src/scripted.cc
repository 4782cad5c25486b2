#include "scripted.h"

#include <algorithm>
#include <cstdio>

#include "scripted_adversary.h"
#include "traffic.h"
#include "user_error.h"

namespace hauberk::engine {

namespace {

/** The stored bytes, to the adversary. */
class StoredBytes : public AttackedMemory {
 public:
  explicit StoredBytes(Image& image) : image_(image) {}
  uint64_t base() const override { return 0; }
  uint64_t bytes() const override { return image_.size(); }
  uint8_t byteAt(uint64_t address) const override { return *image_.at(static_cast<uint32_t>(address)); }
  void putByte(uint64_t address, uint8_t byte) override { image_.put(static_cast<uint32_t>(address), byte); }

 private:
  Image& image_;
};

/** What lasts: lost writes, aliases, delays, held answers. */
class ScriptedInterposer : public Interposer {
 public:
  explicit ScriptedInterposer(ScriptedAdversary& adversary) : adversary_(adversary) {}
  uint32_t route(uint32_t address, bool) override { return static_cast<uint32_t>(adversary_.route(address)); }
  bool loses(uint32_t address) override { return adversary_.loses(address); }
  bool passes(Reply& reply) override {
    reply.due += adversary_.delay(reply.address);
    const uint64_t cycles = reply.write ? 0 : adversary_.hold(reply.address, uint64_t{1} << reply.size);
    reply.held = cycles > 0;
    reply.due = cycles == kForEver ? kForEver : reply.due + cycles;
    return true;
  }

 private:
  ScriptedAdversary& adversary_;
};

/** All of the memory is the one bank of its engine. */
MetadataMap metadataOf(const Scheme& scheme) {
  return MetadataMap(0, scheme.localBytes, {{0, scheme.localBytes, 0, 0}}, scheme.arrays, scheme.blockBytes);
}

/** Random traffic that often comes to the places of the scripts. */
class ScriptedTraffic : public Source {
 public:
  ScriptedTraffic(const Scheme& scheme, const std::vector<AttackScript>& scripts, Random& random)
      : scheme_(scheme), scripts_(scripts), random_(random), anywhere_(scheme, ~uint32_t{0}, random) {}
  bool next(Transfer& transfer) override {
    anywhere_.next(transfer);
    const uint32_t bytes = scheme_.blockBytes;
    const AttackScript& script = scripts_[random_.below(static_cast<uint32_t>(scripts_.size()))];
    const uint64_t target = random_.oneIn(2) ? script.address : script.with;
    if (target < scheme_.dataBytes && random_.oneIn(4)) {
      transfer.address = static_cast<uint32_t>(target / bytes * bytes) + transfer.address % bytes;
    }
    return true;
  }

 private:
  const Scheme& scheme_;
  const std::vector<AttackScript>& scripts_;
  Random& random_;
  RandomTraffic anywhere_;
};

const char* describe(Outcome outcome) {
  switch (outcome) {
    case Outcome::NoEffect:
      return "no effect: nothing false reached the engine";
    case Outcome::Harmless:
      return "harmless: every answer was right";
    case Outcome::Detected:
      return "detected";
    default:
      return "missed: a wrong answer passed for a right one";
  }
}

}  // namespace

Outcome runScripts(const Scheme& scheme, const std::vector<AttackScript>& scripts, uint64_t seed) {
  for (const AttackScript& script : scripts) {
    if (script.onBus()) throw UserError("attack " + script.text + ": an engine has no shared bus to attack");
  }
  Bench bench(scheme, seed);
  StoredBytes stored(bench.memory.stored);
  ScriptedAdversary adversary(scripts, metadataOf(scheme), stored);
  bench.memory.fillWithNoise(bench.random);
  bench.boot();
  uint64_t last = 0;
  for (const AttackScript& s : scripts) last = std::max({last, s.at, s.until == ~uint64_t{0} ? 0 : s.until});
  ScriptedInterposer interposer(adversary);
  bench.memory.interposer = &interposer;
  ScriptedTraffic source(scheme, scripts, bench.random);
  bench.client.source = &source;
  for (uint64_t now = 0; now <= last && !bench.status().halted; now++) {
    adversary.begin(now);
    bench.tick();
  }
  bench.client.source = nullptr;
  bench.drain();
  for (const AttackScript& s : scripts) {
    for (uint64_t at : {s.address, s.with}) {
      if (at < scheme.dataBytes) bench.readBlock(static_cast<uint32_t>(at / scheme.blockBytes));
    }
  }
  const Outcome outcome = bench.judge();
  std::printf("%s, seed %llu: %s\n", scheme.name.c_str(), static_cast<unsigned long long>(seed), describe(outcome));
  std::printf(
      "  alarm %d, cause %d, address 0x%x, halted %d; %llu wrong answers, %llu denied; first false beat at 0x%x\n",
      bench.status().alarm, bench.status().cause, bench.status().address, bench.status().halted,
      static_cast<unsigned long long>(bench.client.wrong), static_cast<unsigned long long>(bench.client.denied),
      bench.memory.firstLie);
  return outcome;
}

}  // namespace hauberk::engine
