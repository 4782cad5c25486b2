// A9 and A10: two addresses for one cell; answers lost, exchanged, repeated, late.
#include "attack_class.h"

namespace hauberk::engine {

namespace {

/** Everything an interposer can do, each at most once or at one place. */
class Saboteur : public Interposer {
 public:
  explicit Saboteur(Bench& bench) : lineBytes(bench.scheme.blockBytes) { bench.memory.interposer = this; }
  uint32_t route(uint32_t address, bool) override {
    return within(address, aliased) ? target + (address - aliased) : address;
  }
  bool loses(uint32_t address) override { return within(address, lost); }
  bool passes(Reply& reply) override {
    if (spent || reply.write != onWrites || !within(reply.address, victim)) return true;
    spent = true;
    if (rotate != 0) {
      uint64_t kept[kMostBlockBeats];
      std::copy(reply.data, reply.data + reply.beats, kept);
      for (unsigned i = 0; i < reply.beats; i++) reply.data[i] = kept[(i + rotate) % reply.beats];
    }
    reply.due += late;
    return !drop;
  }

  static constexpr uint32_t kNone = ~0u;
  uint32_t aliased = kNone, target = 0;
  uint32_t lost = kNone;
  uint32_t victim = kNone;
  bool onWrites = false;
  unsigned rotate = 0;
  uint64_t late = 0;
  bool drop = false;
  bool spent = false;

 private:
  bool within(uint32_t address, uint32_t line) const { return line != kNone && address - line < lineBytes; }

  const uint32_t lineBytes;
};

/** Two addresses reach one cell; both are written, then read. */
Outcome alias(Victim& victim, const MetadataArray* array) {
  Bench& bench = victim.bench;
  const uint32_t a = victim.writtenBlock();
  const uint32_t b = victim.writtenBlock();
  Saboteur saboteur(bench);
  saboteur.aliased = array == nullptr ? a * bench.scheme.blockBytes : array->lineAddress(a);
  saboteur.target = array == nullptr ? b * bench.scheme.blockBytes : array->lineAddress(b);
  if (saboteur.aliased == saboteur.target) return Outcome::NoEffect;
  if (bench.random.oneIn(2)) bench.run(bench.fillOf(a));
  if (bench.random.oneIn(2)) bench.run(bench.fillOf(b));
  bench.client.ask(bench.readOf(a));
  bench.readBlock(b);
  const Outcome outcome = bench.judge();
  bench.memory.interposer = nullptr;
  return outcome;
}

/** A client asks for metadata by their address. */
Outcome askForMetadata(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t lines = (bench.scheme.localBytes - bench.scheme.dataBytes) / bench.scheme.blockBytes;
  if (lines == 0) return Outcome::NoEffect;
  const uint32_t at = bench.scheme.dataBytes + bench.random.below(lines) * bench.scheme.blockBytes;
  bench.rest();
  const uint64_t writes = bench.memory.writes;
  const auto size = static_cast<uint8_t>(bench.random.below(bench.scheme.blockSize() + 1u));
  const Answer answer = bench.run(number % 2 == 0 ? Transfer::read(at, size)
                                                  : Transfer::fill(at, bench.scheme.blockSize(), bench.random));
  const bool named = bench.status().alarm && bench.status().cause != 0 && bench.status().address == at;
  return answer.denied && named && bench.memory.writes == writes ? Outcome::Detected : Outcome::Missed;
}

Outcome loseDataWrite(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  Saboteur saboteur(bench);
  saboteur.lost = block * bench.scheme.blockBytes;
  bench.run(bench.fillOf(block));
  // A read that joins a write in flight does not come from memory
  bench.rest();
  bench.readBlock(block);
  const Outcome outcome = bench.judge();
  bench.memory.interposer = nullptr;
  return outcome;
}

/** Loses every write-back of one line of metadata until it has been evicted and fetched again. */
Outcome loseMetadataWrite(Victim& victim, const MetadataArray* array) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  Saboteur saboteur(bench);
  saboteur.lost = array->lineAddress(block);
  bench.run(bench.fillOf(block));
  bench.flush();
  for (unsigned i = 0; i < 96; i++) {
    bench.client.ask(bench.readOf(bench.random.below(bench.scheme.blocks())));
  }
  bench.readBlock(block);
  const Outcome outcome = bench.judge();
  bench.memory.interposer = nullptr;
  return outcome;
}

/** The answer to one read comes from another place, as when identifiers are exchanged, or with its beats rotated. */
Outcome falsifyAnswer(Victim& victim, bool rotate) {
  Bench& bench = victim.bench;
  const uint32_t a = victim.writtenBlock();
  const uint32_t b = victim.writtenBlock();
  Saboteur saboteur(bench);
  if (rotate) {
    saboteur.victim = a * bench.scheme.blockBytes;
    saboteur.rotate = 1 + bench.random.below(bench.scheme.blockBeats() - 1);
  } else {
    saboteur.aliased = a * bench.scheme.blockBytes;
    saboteur.target = b * bench.scheme.blockBytes;
  }
  bench.readBlock(a);
  const Outcome outcome = bench.judge();
  bench.memory.interposer = nullptr;
  return outcome;
}

/** One answer is late by many times what others take; others work meanwhile. */
Outcome delay(Victim& victim, uint32_t number) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  Saboteur saboteur(bench);
  saboteur.victim = block * bench.scheme.blockBytes;
  saboteur.onWrites = number % 2 == 1;
  saboteur.late = 200 + bench.random.below(1000);
  if (saboteur.onWrites) bench.client.ask(bench.fillOf(block));
  bench.client.ask(bench.readOf(block));
  bench.traffic(30);
  const Outcome outcome = bench.judge();
  bench.memory.interposer = nullptr;
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

/** One answer never comes: what depends on it waits, nothing false is served. */
Outcome dropAnswer(Victim& victim, uint32_t) {
  Bench& bench = victim.bench;
  Saboteur saboteur(bench);
  const uint32_t block = victim.writtenBlock();
  saboteur.victim = block * bench.scheme.blockBytes;
  saboteur.drop = true;
  bench.client.ask(bench.readOf(block));
  for (unsigned i = 0; i < 8; i++) bench.client.ask(bench.readOf(victim.writtenBlock()));
  bench.runTicks(400);
  bench.memory.interposer = nullptr;
  if (bench.status().alarm) return Outcome::Detected;
  return bench.client.wrong > 0 ? Outcome::Missed : Outcome::Harmless;
}

}  // namespace

AttackRows busAttacks(const Scheme& scheme) {
  const Expected expected = detectedIf(scheme.integrity);
  AttackRows rows = {
      {"A9", "two addresses, one cell of data", expected, 2, [](Victim& v, uint32_t) { return alias(v, nullptr); }},
      {"A10", "write of data lost", expected, 1, loseDataWrite},
      {"A10", "answers exchanged", expected, 1, [](Victim& v, uint32_t) { return falsifyAnswer(v, false); }},
      {"A10", "answer late", Expected::Peace, 1, delay},
      {"A10", "answer lost", Expected::Harmless, 1, dropAnswer},
  };
  if (scheme.localBytes > scheme.dataBytes) {
    rows.push_back({"A9", "metadata asked for by address", Expected::Detected, 1, askForMetadata});
  }
  if (scheme.blockBeats() > 1) {
    rows.push_back({"A10", "beats exchanged", expected, 1, [](Victim& v, uint32_t) { return falsifyAnswer(v, true); }});
  }
  for (const MetadataArray& array : scheme.arrays) {
    const MetadataArray* a = &array;
    // Another line of counters may hold a zero, "never written", where this one does not: a rollback.
    const bool claimed = array.kind == "counter" ? scheme.freshness : scheme.integrity;
    rows.push_back({"A9", "two addresses, one cell of " + array.name(), noticedIf(claimed), 1,
                    [a](Victim& v, uint32_t) { return alias(v, a); }});
    if (array.kind == "written") continue;  // bits that are all set soon, so that their line is not written again
    rows.push_back({"A10", "write of " + array.name() + " lost", noticedIf(scheme.integrity), 1,
                    [a](Victim& v, uint32_t) { return loseMetadataWrite(v, a); }});
  }
  return rows;
}

}  // namespace hauberk::engine
