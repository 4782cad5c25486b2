// A16: what is done before the members of a group agree.
#include "attack_class.h"
#include "frames.h"

#include <algorithm>
#include <map>

namespace hauberk::bus {

namespace {

/** Resets everything and lets the groups be set up under attack. */
Outcome attackSetUp(Bench& bench, Adversary& adversary) {
  bench.reset();
  bench.adversary = &adversary;
  bench.openGroups();
  const bool agreed = bench.waitAgreed(2 * bench.scheme.timeout);
  if (!adversary.struck) return Outcome::NoEffect;
  if (agreed || bench.alarmed()) return bench.judge();
  bench.idle(2 * bench.scheme.timeout);
  if (bench.alarmed()) return bench.judge();
  // It never opens, and nobody sends anything
  const bool silent =
      std::none_of(bench.history.begin(), bench.history.end(), [](const Beat& beat) { return beat.isTransfer(); });
  return bench.board.wrong == 0 && silent ? Outcome::Harmless : Outcome::Missed;
}

Outcome onShare(Bench& bench, Spread spread, const OnBeat::Act& act) {
  const auto shares = static_cast<uint32_t>(kMembers * bench.scheme.groups.size() - (bench.scheme.groups.size() - 1));
  OnBeat adversary(bench, Target::Share, spread, act, bench.random.below(shares));
  return attackSetUp(bench, adversary);
}

/** Shares, MACs and data of a session that was, in place of the new ones. */
class OldSession : public Adversary {
 public:
  OldSession(Bench& bench, bool macsToo) : old_(bench.history), macsToo_(macsToo) {
    whom_ = static_cast<MemberSet>(bench.random.oneIn(2) ? 0xf : 1 + bench.random.below(15));
  }
  void tamper(const View& view, Taps& taps) override {
    if (!view.taken || (!macsToo_ && view.beat.kind != kSetUp)) return;
    const Beat& beat = view.beat;
    unsigned& next = next_[beat.kind << 8 | beat.group << 4 | beat.source];
    for (; next < old_.size(); next++) {
      const Beat& old = old_[next];
      if (old.kind != beat.kind || old.group != beat.group || old.source != beat.source) continue;
      struck |= (whom_ & ~(1u << beat.source)) != 0;
      show(taps, static_cast<MemberSet>(whom_ & ~(1u << beat.source)), old);
      next++;
      return;
    }
  }

 private:
  const std::vector<Beat> old_;
  bool macsToo_;
  MemberSet whom_ = 0;
  std::map<unsigned, unsigned> next_;
};

Outcome oldSession(Bench& bench, uint32_t number) {
  OldSession adversary(bench, number % 2 == 0);
  return attackSetUp(bench, adversary);
}

/** A share under another's PID, before its turn or in it. */
class InventShare : public Adversary {
 public:
  explicit InventShare(Bench& bench) : bench_(bench), wait_(bench.random.below(120)) {}
  void tamper(const View& view, Taps& taps) override {
    if (wait_ > 0) wait_--;
    if (struck || view.taken || wait_ > 0) return;
    Beat beat;
    beat.kind = kSetUp;
    beat.source = static_cast<uint8_t>(bench_.random.below(kMembers));
    beat.last = true;
    scramble(beat, bench_.scheme, bench_.random);
    struck = true;
    show(taps, draw(Spread::Some, beat, bench_.scheme, bench_.random), beat);
  }

 private:
  Bench& bench_;
  unsigned wait_;
};

Outcome inventShare(Bench& bench, uint32_t) {
  InventShare adversary(bench);
  return attackSetUp(bench, adversary);
}

/** Everybody has something to send before the groups are open, and some never may. */
class Watch : public Adversary {
 public:
  explicit Watch(const Bench& bench) : bench_(bench) {}
  void tamper(const View& view, Taps&) override {
    for (unsigned member = 0; member < kMembers; member++) {
      const Beat& offer = view.offers[member];
      if (!view.requests[member] || !offer.isTransfer()) continue;
      told |= offer.group >= bench_.scheme.groups.size() || !bench_.scheme.belongs(member, offer.group) ||
              !(bench_.status(member).agreed >> offer.group & 1);
    }
  }
  bool told = false;

 private:
  const Bench& bench_;
};

Outcome sendEarly(Bench& bench) {
  bench.reset();
  bench.traffic.load.idleOneIn = 1;
  bench.traffic.on = true;
  Watch watch(bench);
  bench.adversary = &watch;
  bench.idle(bench.random.below(20));
  bench.openGroups();
  const bool agreed = bench.waitAgreed(8 * bench.scheme.timeout);
  bench.idle(20);
  const bool received = bench.drain(8 * bench.scheme.timeout);
  const bool right = agreed && received && !bench.alarmed() && bench.board.wrong == 0;
  return watch.told || !right ? Outcome::Missed : Outcome::Harmless;
}

/** With the traffic of those who may. */
Outcome sendForeign(Bench& bench, uint32_t number) {
  Watch watch(bench);
  bench.adversary = &watch;
  const auto groups = static_cast<uint8_t>(bench.scheme.groups.size());
  const auto member = static_cast<unsigned>(number % 2 == 0 ? kMembers - 1 : 0);
  Message message;
  message.peer = member == kHome ? 1 : kHome;
  message.group = static_cast<uint8_t>(number % 2 == 0 ? groups - 1 : groups);
  message.beats = 1;
  message.data[0] = 0x5ec2e75u;
  bench.traffic.post(member, member == kHome ? 1 : 0, message);
  bench.traffic.on = true;
  bench.idle(100);
  bench.traffic.on = false;
  const bool right = !bench.alarmed() && bench.board.wrong == 0;
  return watch.told || !right ? Outcome::Missed : Outcome::Harmless;
}

}  // namespace

AttackRows setUps(const Scheme& scheme) {
  if (!scheme.integrity) return {};
  AttackRows rows = {
      {"A16", "session that was, after a reset", Expected::Detected, 1, oldSession},
      {"A16", "share out of nothing", Expected::Harmless, 1, inventShare},
      {"A16", "data before a group agrees", Expected::Peace, 1, [](Bench& b, uint32_t) { return sendEarly(b); }},
  };
  for (const Spread spread : {Spread::All, Spread::Some}) {
    rows.push_back({"A16", "share bit flipped " + nameOf(spread), Expected::Detected, 1, [=](Bench& b, uint32_t) {
                      return onShare(b, spread, [&b](const Beat& beat, MemberSet whom, Taps& taps) {
                        Beat changed = beat;
                        changed.data[b.random.below(2)] ^= 1u << b.random.below(32);
                        show(taps, whom, changed);
                      });
                    }});
    rows.push_back({"A16", "share lost " + nameOf(spread), Expected::Detected, 1, [=](Bench& b, uint32_t) {
                      return onShare(b, spread, [](const Beat&, MemberSet whom, Taps& taps) { silence(taps, whom); });
                    }});
  }
  if (scheme.groups.size() > 1) rows.push_back({"A16", "data of a group of others", Expected::Peace, 1, sendForeign});
  return rows;
}

}  // namespace hauberk::bus
