// A4: memory goes back to what it was, in parts or as a whole.
#include "attack_class.h"

namespace hauberk::engine {

namespace {

Outcome replay(Victim& victim, bool data, const std::vector<std::string>& kinds) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  if (!victim.changed(block)) return Outcome::NoEffect;
  if (data) victim.restore(block * bench.scheme.blockBytes, bench.scheme.blockBytes);
  victim.restoreEntries(block, kinds);
  bench.readBlock(block);
  return bench.judge();
}

/** Answers with nodes of the tree come late. */
class LateTree : public Interposer {
 public:
  explicit LateTree(Bench& bench) : bench_(bench) { bench.memory.interposer = this; }
  ~LateTree() override { bench_.memory.interposer = nullptr; }
  LateTree(const LateTree&) = delete;
  bool passes(Reply& reply) override {
    constexpr uint64_t kLate = 500;
    for (const MetadataArray& array : bench_.scheme.arrays) {
      const bool here =
          reply.address >= array.base && reply.address - array.base < array.lines * bench_.scheme.blockBytes;
      if (here && array.kind == "node" && !reply.write) reply.due += kLate;
    }
    return true;
  }

 private:
  Bench& bench_;
};

/** An old block that its tag and its counter confirm, long before the tree can tell. */
Outcome replayBeforeTree(Victim& victim) {
  const LateTree late(victim.bench);
  return replay(victim, true, {"tag", "counter", "version"});
}

Outcome replayImage(Victim& victim) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  if (!victim.changed(block)) return Outcome::NoEffect;
  victim.restore(0, bench.scheme.localBytes);
  bench.readBlock(block);
  return bench.judge();
}

/** To zero: the state of a counter nobody has written. */
Outcome zeroCounter(Victim& victim, const MetadataArray* array) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  for (uint32_t i = 0; i < array->entryBytes(); i++) bench.memory.stored.put(array->entryAddress(block) + i, 0);
  bench.readBlock(block);
  return bench.judge();
}

AttackRow row(const std::string& variant, Expected expected, bool data, const std::vector<std::string>& kinds) {
  return {"A4", variant, expected, 2, [data, kinds](Victim& v, uint32_t) { return replay(v, data, kinds); }};
}

}  // namespace

AttackRows replays(const Scheme& scheme) {
  // Old data do not fit a new counter or a new tag, but only freshness stops all of it together.
  const bool bound = scheme.integrity && (scheme.array("counter") != nullptr || scheme.array("tag") != nullptr ||
                                          scheme.array("version") != nullptr);
  AttackRows rows = {row("data", detectedIf(bound), true, {})};
  if (const MetadataArray* counter = scheme.array("counter")) {
    rows.push_back(row("counter", detectedIf(scheme.integrity), false, {"counter"}));
    rows.push_back({"A4", "counter zeroed", detectedIf(scheme.freshness), 1,
                    [counter](Victim& v, uint32_t) { return zeroCounter(v, counter); }});
  }
  if (scheme.array("tag") != nullptr) {
    const bool more = scheme.freshness || scheme.array("counter") != nullptr;
    rows.push_back(row("data and tag", detectedIf(more), true, {"tag"}));
  }
  if (!scheme.arrays.empty()) {
    rows.push_back(row("data, tag and counter", detectedIf(scheme.freshness), true, {"tag", "counter", "version"}));
  }
  if (scheme.array("node") != nullptr) {
    rows.push_back({"A4", "data, tag and counter, tree late", detectedIf(scheme.freshness), 2,
                    [](Victim& v, uint32_t) { return replayBeforeTree(v); }});
    rows.push_back(row("whole tree path", detectedIf(scheme.freshness), true, {"tag", "counter", "version", "node"}));
  }
  rows.push_back(
      {"A4", "whole memory", detectedIf(scheme.freshness), 2, [](Victim& v, uint32_t) { return replayImage(v); }});
  return rows;
}

}  // namespace hauberk::engine
