// A23: memory that answers when it likes holds one answer, of which a verdict depends, while others pass it.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "attack_class.h"

namespace hauberk::engine {

namespace {

/** Cycles for which a design may let data be used before their verdict. The number is this bench's own. */
constexpr unsigned kVerdictTimeout = 8192;

/** Cycles from the first such beat at the client's port to the alarm, at most: a few more, for registers in between. */
constexpr unsigned kVerdictLimit = kVerdictTimeout + 8;

/** The same where a verdict can come from a line that has none itself. */
constexpr unsigned kChainLimit = 2 * kVerdictLimit;

/** Cycles in which a read that depends on nothing that is held is answered. */
constexpr unsigned kPatience = 1000;

enum class Forgery { None, Flip, Replay };

/** Holds the answers to all reads of some lines of metadata: the last line until this goes, and those before it for so
 * many cycles each, one after the other.
 */
class Holder : public Interposer {
 public:
  Holder(Bench& bench, const std::vector<uint32_t>& lines, uint64_t turn = 0)
      : bench_(bench), lines_(lines), turn_(turn) {
    bench.memory.interposer = this;
  }
  ~Holder() override { release(); }
  Holder(const Holder&) = delete;
  bool passes(Reply& reply) override {
    const auto line = std::find(lines_.begin(), lines_.end(), reply.address);
    if (reply.write || line == lines_.end()) return true;
    reply.held = true;
    if (line + 1 == lines_.end()) {
      struck = true;
      reply.due = ~uint64_t{0};
    } else {
      reply.due += static_cast<uint64_t>(line - lines_.begin() + 1) * turn_;
    }
    return true;
  }
  void release() {
    bench_.memory.interposer = nullptr;
    bench_.memory.release();
  }

  bool struck = false;

 private:
  Bench& bench_;
  const std::vector<uint32_t> lines_;
  const uint64_t turn_;
};

/** False contents of a block, the first word of it among them; false if there are none. */
bool forge(Victim& victim, uint32_t block, Forgery forgery) {
  Bench& bench = victim.bench;
  const uint32_t at = block * bench.scheme.blockBytes;
  if (forgery == Forgery::Flip) {
    const uint32_t byte = at + bench.random.below(kBeatBytes);
    bench.memory.stored.put(byte, static_cast<uint8_t>(*bench.memory.stored.at(byte) ^ 1u << bench.random.below(8)));
  }
  if (forgery == Forgery::Replay) {
    if (!victim.changed(block)) return false;
    victim.restore(at, bench.scheme.blockBytes);
    victim.restoreEntries(block, {"tag", "counter", "version"});
  }
  return true;
}

/** What came of it when nothing is held any more: that an honest memory is served in the end is no attack. */
Outcome settled(Bench& bench) {
  const Outcome outcome = bench.judge();
  return outcome == Outcome::NoEffect ? Outcome::Harmless : outcome;
}

/** A design that promises its alarm later than this bench allows has only been lucky. */
Outcome inTime(Bench& bench) {
  const uint32_t promised = bench.scheme.verdictTimeout;
  if (promised == 0 || promised > kVerdictTimeout) {
    throw std::runtime_error("the scheme's verdictTimeout is " + std::to_string(promised) + ", and must be from 1 to " +
                             std::to_string(kVerdictTimeout));
  }
  return settled(bench);
}

/** Whether verdicts come after the data, so that a late one must raise the alarm. */
bool speculates(const Scheme& scheme) {
  return scheme.detection == Detection::Later || scheme.detection == Detection::Check;
}

/** Waits for the alarm, from the first beat that is used on, and as long as anything can come. */
void await(Bench& bench, const Holder& holder, unsigned limit) {
  unsigned waited = 0, used = 0;
  while (!bench.status().alarm && waited < kPatience && used < limit) {
    bench.tick();
    if (bench.client.readBeats == 0) {
      waited++;
    } else {
      used++;
    }
    if (!holder.struck && bench.client.idle() && bench.memory.idle()) return;
  }
  if (bench.status().alarm && used > 0) bench.alarmAfter = used;
}

/** What comes of a read of a block while something is held. */
Outcome readAndJudge(Bench& bench, uint32_t block, Holder& holder, unsigned limit) {
  bench.client.ask(bench.readOf(block));
  await(bench, holder, limit);
  if (!holder.struck) return Outcome::NoEffect;
  const bool alarm = bench.status().alarm, used = bench.client.readBeats > 0;
  if (!speculates(bench.scheme) && bench.client.wrongBeats > 0) return Outcome::Missed;
  if (speculates(bench.scheme) && used && !alarm) return Outcome::Missed;
  holder.release();
  return alarm && used ? inTime(bench) : settled(bench);
}

/** A line is held for ever. */
Outcome hold(Victim& victim, const MetadataArray* array, Forgery forgery) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  if (!forge(victim, block, forgery)) return Outcome::NoEffect;
  Holder holder(bench, {static_cast<uint32_t>(array->lineAddress(block))});
  return readAndJudge(bench, block, holder, array->kind == "node" ? kChainLimit : kVerdictLimit);
}

/** The tag and each node above an old block are held in turn, each for less time than raises the alarm, and the last
 * for ever: each verdict comes from a line that has none.
 */
Outcome holdInTurn(Victim& victim) {
  constexpr unsigned kMargin = 400;  // of other latencies
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  if (!forge(victim, block, Forgery::Replay)) return Outcome::NoEffect;
  std::vector<uint32_t> lines;
  for (const MetadataArray& array : bench.scheme.arrays) {
    const bool chained = array.kind == "tag" || array.kind == "node";
    if (chained) lines.push_back(static_cast<uint32_t>(array.lineAddress(block)));
  }
  Holder holder(bench, lines, kVerdictTimeout / 2 - kMargin);
  return readAndJudge(bench, block, holder, kChainLimit);
}

/** A line is held for less than half of the time that a verdict has, under other traffic, and nothing is forged. */
Outcome holdShortly(Victim& victim, const MetadataArray* array) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  Holder holder(bench, {static_cast<uint32_t>(array->lineAddress(block))});
  bench.client.ask(bench.readOf(block));
  for (unsigned i = 0; i < 8; i++) bench.client.ask(bench.readOf(victim.writtenBlock()));
  const uint32_t most =
      speculates(bench.scheme) && bench.scheme.verdictTimeout > 0 ? bench.scheme.verdictTimeout : kPatience;
  bench.runTicks(bench.random.below(most / 2));
  if (!holder.struck) return Outcome::NoEffect;
  holder.release();
  bench.traffic(30);
  return settled(bench);
}

/** A client whose code is forged: each false word that it reads says where it reads next. */
class Chase {
 public:
  Chase(Bench& bench, uint32_t block) : bench_(bench), next_(block), seen_(bench.scheme.blocks()) {
    bench.memory.log = &asked_;
  }
  ~Chase() { bench_.memory.log = nullptr; }
  Chase(const Chase&) = delete;

  /** Until the alarm, or as long as it may take; in a small bank there are no more blocks earlier. */
  void run() {
    while (goesOn() && step()) {
    }
    while (goesOn() && used_ > 0) tick();
    if (bench_.status().alarm && used_ > 0) bench_.alarmAfter = used_;
  }

  /** Bits that were read off the addresses: each read tells which block it is of. */
  uint64_t bits() const {
    uint64_t reads = 0, bitsOfOne = 0;
    for (const Asked& asked : asked_) {
      const uint32_t block = asked.address / bench_.scheme.blockBytes;
      reads += !asked.write && std::find(chosen_.begin(), chosen_.end(), block) != chosen_.end();
    }
    for (uint32_t blocks = bench_.scheme.blocks(); blocks > 1; blocks /= 2) bitsOfOne++;
    return reads * bitsOfOne;
  }

 private:
  bool goesOn() const { return !bench_.status().alarm && used_ < kVerdictLimit; }
  void tick() {
    bench_.tick();
    used_ += bench_.client.wrongBeats > 0;
  }
  bool step() {
    seen_[next_] = 1;
    Answer answer;
    Transfer word = Transfer::read(next_ * bench_.scheme.blockBytes, 3);
    word.report = &answer;
    bench_.client.ask(word);
    for (unsigned i = 0; !answer.come && goesOn() && (used_ > 0 || i < kPatience); i++) {
      tick();
    }
    bench_.client.forget(&answer);
    if (!answer.come || answer.denied || bench_.client.wrongBeats == 0) return false;
    uint64_t value;
    std::memcpy(&value, answer.data, sizeof value);
    // Accesses to one block wait for each other
    next_ = Random(value).below(bench_.scheme.blocks());
    while (seen_[next_]) next_ = (next_ + 1) % bench_.scheme.blocks();
    chosen_.push_back(next_);
    return chosen_.size() < bench_.scheme.blocks() / 2;
  }

  Bench& bench_;
  uint32_t next_;
  std::vector<uint8_t> seen_;
  std::vector<uint32_t> chosen_;
  std::vector<Asked> asked_;
  unsigned used_ = 0;
};

/** Addresses that depend on false data, while a line of the block's metadata is held, or with nothing held. */
Outcome chase(Victim& victim, const MetadataArray* array) {
  Bench& bench = victim.bench;
  const uint32_t block = victim.writtenBlock();
  forge(victim, block, Forgery::Flip);
  std::optional<Holder> holder;
  if (array != nullptr) holder.emplace(bench, std::vector<uint32_t>{static_cast<uint32_t>(array->lineAddress(block))});
  Chase addresses(bench, block);
  addresses.run();
  if (holder && !holder->struck) return Outcome::NoEffect;
  bench.leakedBits = addresses.bits();
  if (!speculates(bench.scheme) && bench.client.wrongBeats > 0) return Outcome::Missed;
  const bool alarm = bench.status().alarm, used = bench.client.wrongBeats > 0;
  if (used && !alarm) return Outcome::Missed;
  if (holder) holder->release();
  return alarm && used && holder ? inTime(bench) : settled(bench);
}

}  // namespace

AttackRows heldVerdicts(const Scheme& scheme) {
  // The log hash has no verdict on data until its next check, whatever is held
  const bool claimed = scheme.integrity && scheme.detection != Detection::Check;
  AttackRows rows = {{"A23", "addresses of false data", detectedIf(claimed), 1,
                      [](Victim& v, uint32_t) { return chase(v, nullptr); }}};
  if (!scheme.integrity) return rows;
  const Expected late = speculates(scheme) ? Expected::Noticed : Expected::Harmless;
  // Each waits for the timeout
  const unsigned oneIn = speculates(scheme) ? 5 : 1;
  if (const MetadataArray* tag = scheme.array("tag")) {
    rows.push_back({"A23", "addresses of false data, tag held", late, 1,
                    [tag](Victim& v, uint32_t) { return chase(v, tag); }, oneIn});
  }
  if (scheme.array("node") != nullptr) {
    rows.push_back({"A23", "data, tag and counter replayed, tag and nodes held in turn", Expected::Harmless, 1,
                    [](Victim& v, uint32_t) { return holdInTurn(v); }, oneIn});
  }
  for (const MetadataArray& array : scheme.arrays) {
    const MetadataArray* a = &array;
    // Nothing can be decrypted before its counter is there, and a counter line may wait for the nodes above it
    const bool verdict = array.kind == "tag" || array.kind == "version";
    const Expected expected = verdict ? late : Expected::Harmless;
    const std::string held = array.name() + " held";
    rows.push_back({"A23", held, expected, 1, [a](Victim& v, uint32_t) { return hold(v, a, Forgery::None); }, oneIn});
    rows.push_back({"A23", "data bit flipped, " + held, expected, 1,
                    [a](Victim& v, uint32_t) { return hold(v, a, Forgery::Flip); }, oneIn});
    if (scheme.freshness && array.kind == "node") {
      rows.push_back({"A23", "data, tag and counter replayed, " + held, expected, 1,
                      [a](Victim& v, uint32_t) { return hold(v, a, Forgery::Replay); }, oneIn});
    }
    rows.push_back(
        {"A23", held + " for a while", Expected::Peace, 1, [a](Victim& v, uint32_t) { return holdShortly(v, a); }});
  }
  return rows;
}

}  // namespace hauberk::engine
