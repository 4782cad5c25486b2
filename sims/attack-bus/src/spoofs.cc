// A16: beats that nobody sent, and old ones.
#include "attack_class.h"
#include "frames.h"

#include <algorithm>

namespace hauberk::bus {

namespace {

/** An old beat of this kind; false if there was none. Of the sender and the group of another one, if there is one. */
bool recall(Bench& bench, Target target, const Beat* like, Beat& beat) {
  std::vector<Beat> fitting;
  for (const Beat& old : bench.history) {
    if (!is(target, old) || (like != nullptr && (old.source != like->source || old.group != like->group))) continue;
    fitting.push_back(old);
  }
  if (fitting.empty()) return false;
  beat = fitting[bench.random.below(static_cast<uint32_t>(fitting.size()))];
  return true;
}

MemberSet everybodyBut(unsigned member) { return static_cast<MemberSet>(0xf & ~(1u << member)); }

/** A beat such as there is on this bus, with noise for data. */
bool invent(Bench& bench, Target target, Beat& beat) {
  if (!recall(bench, target, nullptr, beat)) return false;
  scramble(beat, bench.scheme, bench.random);
  if (target == Target::Command) beat.data = {};
  beat.command = bench.random.next() >> (64 - kCommandBits);
  beat.last = true;
  return true;
}

Outcome inject(Bench& bench, const Beat& beat, MemberSet whom, unsigned quiet = 0) {
  Inject adversary(bench, beat, whom);
  adversary.quiet = quiet + bench.random.below(3);
  return strike(bench, adversary);
}

Outcome spoofOwn(Bench& bench, bool all) {
  Beat beat;
  if (!invent(bench, bench.random.oneIn(2) ? Target::Data : Target::Command, beat)) return Outcome::NoEffect;
  beat.kind = static_cast<uint8_t>(bench.random.below(4));
  return atOnce(bench, inject(bench, beat, all ? MemberSet{0xf} : static_cast<MemberSet>(1u << beat.source)));
}

Outcome spoofMember(Bench& bench, Target target, bool one) {
  Beat beat;
  if (!invent(bench, target, beat)) return Outcome::NoEffect;
  return inject(bench, beat, one ? static_cast<MemberSet>(1u << beat.destination) : everybodyBut(beat.source));
}

Outcome spoofForeign(Bench& bench) {
  Beat beat;
  if (!invent(bench, bench.random.oneIn(2) ? Target::Data : Target::Command, beat)) return Outcome::NoEffect;
  for (unsigned group = 0; group < bench.scheme.groups.size(); group++) {
    for (unsigned member = 0; member < kMembers; member++) {
      if (bench.scheme.belongs(member, group)) continue;
      beat.group = static_cast<uint8_t>(group);
      beat.source = static_cast<uint8_t>(member);
      beat.destination = kHome;
      beat.kind = static_cast<uint8_t>(bench.random.below(4));
    }
  }
  return inject(bench, beat, everybodyBut(beat.source), 1);
}

Outcome spoofGroup(Bench& bench) {
  Beat beat;
  if (!invent(bench, bench.random.oneIn(2) ? Target::Data : Target::Command, beat)) return Outcome::NoEffect;
  const auto groups = static_cast<uint32_t>(bench.scheme.groups.size());
  beat.group = static_cast<uint8_t>(groups == 1 ? 1 : groups + bench.random.below(2));
  return inject(bench, beat, everybodyBut(beat.source), 1);
}

Outcome replayIdle(Bench& bench, Target target, bool one) {
  Beat beat;
  if (!recall(bench, target, nullptr, beat)) return Outcome::NoEffect;
  return inject(bench, beat, one ? static_cast<MemberSet>(1u << beat.destination) : everybodyBut(beat.source));
}

/** In place of a new beat, an old one of the same sender. */
Outcome replayInPlace(Bench& bench, Target target, Spread spread) {
  OnBeat adversary(
      bench, target, spread,
      [&](const Beat& beat, MemberSet whom, Taps& taps) {
        Beat old = beat;
        if (!recall(bench, target, &beat, old)) scramble(old, bench.scheme, bench.random);
        show(taps, whom, old);
      },
      bench.random.below(12));
  return strike(bench, adversary);
}

/** Old data under the new command, to the same receiver. */
Outcome replayData(Bench& bench, Spread spread) {
  OnBeat adversary(
      bench, Target::Data, spread,
      [&](const Beat& beat, MemberSet whom, Taps& taps) {
        Beat old = beat;
        recall(bench, Target::Data, nullptr, old);
        Beat mixed = beat;
        mixed.data = old.data;
        show(taps, whom, mixed);
      },
      bench.random.below(12));
  return strike(bench, adversary);
}

/** A beat of another message, even of another group, is kept until a message for the same receiver has begun, and is
 * received in its midst. */
class PutBetween : public Adversary {
 public:
  explicit PutBetween(Bench& bench) : bench_(bench) {}
  void tamper(const View& view, Taps& taps) override {
    if (done_) return;
    const Beat& beat = view.beat;
    if (!struck) {
      if (!view.taken || !beat.isTransfer() || !beat.last || within_ || bench_.random.oneIn(2)) {
        within_ = view.taken ? !beat.last : within_;
        return;
      }
      struck = true;
      old_ = beat;
      silence(taps, others(beat));
      return;
    }
    if (within_ && !view.taken && middle_.destination == old_.destination) {
      done_ = true;
      show(taps, others(old_), old_);
    }
    if (view.taken) {
      within_ = beat.isTransfer() && !beat.last;
      middle_ = beat;
    }
  }

 private:
  MemberSet others(const Beat& beat) const {
    return static_cast<MemberSet>(bench_.scheme.groups[beat.group] & ~(1u << beat.source));
  }
  Bench& bench_;
  Beat old_, middle_;
  bool done_ = false;
  bool within_ = false;
};

Outcome putBetween(Bench& bench) {
  bench.traffic.load.idleOneIn = 10;
  PutBetween adversary(bench);
  return strike(bench, adversary);
}

}  // namespace

AttackRows spoofs(const Scheme& scheme) {
  const Expected data = detectedIf(scheme.integrity), command = detectedIf(scheme.commands);
  AttackRows rows = {
      {"A16", "spoofed as the receiver itself", data, 1, [](Bench& b, uint32_t n) { return spoofOwn(b, n % 2 == 0); }},
      {"A16", "spoofed data of another member", data, 1,
       [](Bench& b, uint32_t n) { return spoofMember(b, Target::Data, n % 2 == 0); }},
      {"A16", "spoofed command of another member", command, 1,
       [](Bench& b, uint32_t n) { return spoofMember(b, Target::Command, n % 2 == 0); }},
      {"A16", "spoofed in a group that is none", harmlessIf(scheme.integrity), 1,
       [](Bench& b, uint32_t) { return spoofGroup(b); }},
      {"A16", "old data on an idle bus", data, 1,
       [](Bench& b, uint32_t n) { return replayIdle(b, Target::Data, n % 2 == 0); }},
      {"A16", "old command on an idle bus", command, 1,
       [](Bench& b, uint32_t n) { return replayIdle(b, Target::Command, n % 2 == 0); }},
      {"A16", "message put between the beats of another", command, 1, [](Bench& b, uint32_t) { return putBetween(b); }},
      {"A16", "old data under a new command", data, 1,
       [](Bench& b, uint32_t n) { return replayData(b, n % 2 == 0 ? Spread::All : Spread::Destination); }},
  };
  for (const Spread spread : {Spread::All, Spread::Destination}) {
    rows.push_back({"A16", "old data in place of new " + nameOf(spread), data, 1,
                    [=](Bench& b, uint32_t) { return replayInPlace(b, Target::Data, spread); }});
    rows.push_back({"A16", "old command in place of new " + nameOf(spread), command, 1,
                    [=](Bench& b, uint32_t) { return replayInPlace(b, Target::Command, spread); }});
  }
  const bool foreign = std::any_of(scheme.groups.begin(), scheme.groups.end(), [](uint8_t m) { return m != 0xf; });
  if (foreign) {
    rows.push_back({"A16", "spoofed by one who does not belong to the group", Expected::Harmless, 1,
                    [](Bench& b, uint32_t) { return spoofForeign(b); }});
  }
  return rows;
}

}  // namespace hauberk::bus
