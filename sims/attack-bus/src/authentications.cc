// What is done to MACs: A10 where they are lost, late or doubled, A16 where they are false or old.
#include "attack_class.h"
#include "frames.h"

namespace hauberk::bus {

namespace {

Outcome onMac(Bench& bench, Spread spread, const OnBeat::Act& act) {
  OnBeat adversary(bench, Target::Mac, spread, act, bench.random.below(4));
  return strike(bench, adversary);
}

Outcome repeatMac(Bench& bench, Spread spread, bool keepsBack, unsigned others) {
  Repeat adversary(bench, Target::Mac, spread, keepsBack, others);
  return strike(bench, adversary);
}

Outcome oldMac(Bench& bench, Spread spread) {
  return onMac(bench, spread, [&](const Beat& beat, MemberSet whom, Taps& taps) {
    Beat old = beat;
    for (const Beat& seen : bench.history) {
      if (is(Target::Mac, seen) && seen.group == beat.group && (old == beat || bench.random.oneIn(4))) old = seen;
    }
    old.source = beat.source;
    show(taps, whom, old);
  });
}

/** Out of nothing: the last MAC again, or noise, under the PID whose turn it may be. */
Outcome invented(Bench& bench, uint32_t number) {
  Beat beat;
  for (const Beat& seen : bench.history) {
    if (is(Target::Mac, seen)) beat = seen;
  }
  if (number % 2 == 0) scramble(beat, bench.scheme, bench.random);
  do beat.source = static_cast<uint8_t>(bench.random.below(kMembers));
  while (!bench.scheme.belongs(beat.source, beat.group));
  Inject adversary(bench, beat, static_cast<MemberSet>(bench.scheme.groups[beat.group] & ~(1u << beat.source)));
  adversary.quiet = number % 4;
  return strike(bench, adversary);
}

/** Keeps one member apart, while the bus is all but idle: neither side receives the other's transfers, and each
 * receives, as often as a MAC of the other side is due, the last one that its own side has shown. */
class KeepApart : public Adversary {
 public:
  KeepApart(const Scheme& scheme, unsigned member)
      : all_(scheme.groups[0]), apart_(static_cast<MemberSet>(1u << member)) {}
  bool on = false;
  unsigned exchanged = 0;  // MACs that were not what they seemed

  void tamper(const View& view, Taps& taps) override {
    if (!view.taken || view.beat.group != 0) return;
    const bool outside = has(apart_, view.beat.source);
    const auto others = static_cast<MemberSet>(outside ? all_ & ~apart_ : apart_);
    if (is(Target::Mac, view.beat)) {
      latest = view.beat.source;
      last_[outside] = view.beat.data;
      if (!on) last_[!outside] = view.beat.data;
      if (!on) return;
      Beat beat = view.beat;
      beat.data = last_[!outside];
      exchanged++;
      show(taps, others, beat);
    } else if (on) {
      struck = true;
      silence(taps, others);
    }
  }
  unsigned latest = kMembers;  // who showed a MAC last

 private:
  MemberSet all_, apart_;
  BeatData last_[2];
};

/** The member sends data that nobody gets, when its own turn to show a MAC comes next. */
Outcome keepApart(Bench& bench) {
  const unsigned member = 1 + bench.random.below(2);
  const unsigned before = member - 1;
  KeepApart adversary(bench.scheme, member);
  bench.adversary = &adversary;
  for (unsigned i = 0; i < 8 * bench.scheme.heartbeat && adversary.latest != before; i++) bench.busCycle();
  if (adversary.latest != before) return Outcome::NoEffect;
  adversary.on = true;
  Message message = bench.traffic.any(member, 1);
  message.group = 0;
  bench.traffic.post(member, 0, message);
  const unsigned timeout = 3 * bench.scheme.timeout;
  for (unsigned i = 0; i < timeout && !bench.alarmed(); i++) bench.busCycle();
  if (!adversary.struck) return Outcome::NoEffect;
  if (bench.alarmed()) return bench.judge();
  bench.complaint = "old MACs kept a lost transfer secret";
  return Outcome::Missed;
}

}  // namespace

AttackRows authentications(const Scheme& scheme) {
  if (!scheme.integrity) return {};
  AttackRows rows = {
      {"A10", "MAC late", Expected::Harmless, 1, [](Bench& b, uint32_t) { return repeatMac(b, Spread::All, true, 0); }},
      {"A10", "MAC twice", Expected::Detected, 1,
       [](Bench& b, uint32_t n) { return repeatMac(b, n % 2 == 0 ? Spread::All : Spread::Some, false, n % 3); }},
      {"A16", "MAC out of nothing", Expected::Detected, 1, invented},
      {"A16", "old MACs hide a split", Expected::Detected, 1, [](Bench& b, uint32_t) { return keepApart(b); }},
  };
  for (const Spread spread : {Spread::All, Spread::Some}) {
    rows.push_back({"A10", "MAC lost " + nameOf(spread), Expected::Detected, 1, [=](Bench& b, uint32_t) {
                      return onMac(b, spread, [](const Beat&, MemberSet whom, Taps& taps) { silence(taps, whom); });
                    }});
    rows.push_back({"A16", "MAC bit flipped " + nameOf(spread), Expected::Detected, 1, [=](Bench& b, uint32_t) {
                      return onMac(b, spread, [&b](const Beat& beat, MemberSet whom, Taps& taps) {
                        Beat changed = beat;
                        changed.data[b.random.below(2)] ^= 1u << b.random.below(32);
                        show(taps, whom, changed);
                      });
                    }});
    rows.push_back({"A16", "old MAC in place of new " + nameOf(spread), Expected::Detected, 1,
                    [=](Bench& b, uint32_t) { return oldMac(b, spread); }});
  }
  return rows;
}

}  // namespace hauberk::bus
