#include "scripted.h"

#include <algorithm>
#include <cstdio>

#include "traffic.h"
#include "user_error.h"

namespace hauberk::engine {

namespace {

struct Place {
  uint32_t address;
  uint32_t bytes;
};

/** What lasts: lost writes, aliases, delays. */
class ScriptedInterposer : public Interposer {
 public:
  ScriptedInterposer(const std::vector<AttackScript>& scripts, const uint64_t& now) : scripts_(scripts), now_(now) {}
  uint32_t route(uint32_t address, bool) override {
    for (const AttackScript& s : scripts_) {
      if (applies(s, AttackKind::Alias, address)) return static_cast<uint32_t>(address - s.address + s.with);
    }
    return address;
  }
  bool loses(uint32_t address) override {
    return std::any_of(scripts_.begin(), scripts_.end(),
                       [&](const AttackScript& s) { return applies(s, AttackKind::Drop, address); });
  }
  bool passes(Reply& reply) override {
    for (const AttackScript& s : scripts_) {
      if (applies(s, AttackKind::Delay, reply.address)) reply.due += s.cycles;
    }
    return true;
  }

 private:
  bool applies(const AttackScript& s, AttackKind kind, uint32_t address) const {
    return s.kind == kind && s.active(now_) && s.covers(address);
  }
  const std::vector<AttackScript>& scripts_;
  const uint64_t& now_;
};

/** Random traffic that often comes to the places of the scripts. */
class ScriptedTraffic : public Source {
 public:
  ScriptedTraffic(const Scheme& scheme, const std::vector<AttackScript>& scripts, Random& random)
      : scheme_(scheme), scripts_(scripts), random_(random), anywhere_(scheme.blocks(), ~uint32_t{0}, random) {}
  bool next(Transfer& transfer) override {
    anywhere_.next(transfer);
    const AttackScript& script = scripts_[random_.below(static_cast<uint32_t>(scripts_.size()))];
    const uint64_t target = random_.oneIn(2) ? script.address : script.with;
    if (target < scheme_.dataBytes && random_.oneIn(4)) {
      transfer.address = static_cast<uint32_t>(target / kBlockBytes * kBlockBytes) + transfer.address % kBlockBytes;
    }
    return true;
  }

 private:
  const Scheme& scheme_;
  const std::vector<AttackScript>& scripts_;
  Random& random_;
  RandomTraffic anywhere_;
};

void checkPlaces(const Scheme& scheme, const AttackScript& script) {
  const auto inside = [&](uint64_t address) {
    return address < scheme.localBytes && script.bytes <= scheme.localBytes - address;
  };
  if (!inside(script.address)) {
    throw UserError("--attack " + script.text + ": the field addr, with its bytes, leaves the memory of " +
                    std::to_string(scheme.localBytes) + " bytes");
  }
  if (!inside(script.with)) {
    throw UserError("--attack " + script.text + ": the field with, with its bytes, leaves the memory of " +
                    std::to_string(scheme.localBytes) + " bytes");
  }
}

std::vector<Place> replayed(const Scheme& scheme, const AttackScript& script) {
  if (script.replays("image")) return {{0, scheme.localBytes}};
  std::vector<Place> places;
  if (script.replays("data")) {
    places.push_back({static_cast<uint32_t>(script.address), static_cast<uint32_t>(script.bytes)});
  }
  if (script.address >= scheme.dataBytes) return places;
  const auto block = static_cast<uint32_t>(script.address / kBlockBytes);
  for (const MetadataArray& array : scheme.arrays) {
    if (script.replays(array.kind) || script.replays("path")) {
      places.push_back({static_cast<uint32_t>(array.entryAddress(block)), array.entryBytes()});
    }
  }
  return places;
}

/** What is done once, in cycle `at`. */
void strike(Bench& bench, const AttackScript& script, const std::vector<uint8_t>& old) {
  Image& stored = bench.memory.stored;
  const auto at = static_cast<uint32_t>(script.address);
  const auto bytes = static_cast<uint32_t>(script.bytes);
  Random noise(script.seed);
  switch (script.kind) {
    case AttackKind::Flip: {
      const auto byte = static_cast<uint32_t>(at + script.bit / 8);
      stored.put(byte, static_cast<uint8_t>(*stored.at(byte) ^ 1u << script.bit % 8));
      break;
    }
    case AttackKind::Random:
      for (uint32_t i = 0; i < bytes; i++) stored.put(at + i, static_cast<uint8_t>(noise.next()));
      break;
    case AttackKind::Splice: {
      const std::vector<uint8_t> a(stored.at(at), stored.at(at) + bytes);
      const auto with = static_cast<uint32_t>(script.with);
      const std::vector<uint8_t> b(stored.at(with), stored.at(with) + bytes);
      stored.write(at, b.data(), bytes);
      stored.write(with, a.data(), bytes);
      break;
    }
    case AttackKind::Replay:
      for (const Place& place : replayed(bench.scheme, script)) {
        stored.write(place.address, &old[place.address], place.bytes);
      }
      break;
    default:
      break;
  }
}

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
  for (const AttackScript& script : scripts) checkPlaces(scheme, script);
  Bench bench(scheme, seed);
  bench.memory.fillWithNoise(bench.random);
  bench.boot();
  uint64_t last = 0;
  for (const AttackScript& s : scripts) last = std::max({last, s.at, s.until == ~uint64_t{0} ? 0 : s.until});
  uint64_t now = 0;
  ScriptedInterposer interposer(scripts, now);
  bench.memory.interposer = &interposer;
  ScriptedTraffic source(scheme, scripts, bench.random);
  bench.client.source = &source;
  std::vector<std::vector<uint8_t>> old(scripts.size());
  for (; now <= last && !bench.status().halted; now++) {
    for (size_t i = 0; i < scripts.size(); i++) {
      const Image& stored = bench.memory.stored;
      if (scripts[i].from == now) old[i].assign(stored.at(0), stored.at(0) + stored.size());
      if (scripts[i].at == now) strike(bench, scripts[i], old[i]);
    }
    bench.tick();
  }
  bench.client.source = nullptr;
  bench.drain();
  for (const AttackScript& s : scripts) {
    for (uint64_t at : {s.address, s.with}) {
      if (at < scheme.dataBytes) bench.readBlock(static_cast<uint32_t>(at / kBlockBytes));
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
