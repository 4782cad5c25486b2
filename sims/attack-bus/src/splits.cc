// A16: members that are made to receive different things (Zhang et al., section 4.3).
#include "attack_class.h"
#include "frames.h"

namespace hauberk::bus {

namespace {

/** Of two transfers, every member but their senders receives just one: counts of transfers agree. */
class SplitGroup : public Adversary {
 public:
  explicit SplitGroup(Bench& bench) : bench_(bench) {}
  void tamper(const View& view, Taps& taps) override {
    if (!view.taken || done_ || !is(Target::Data, view.beat)) return;
    if (!struck) {
      tiedOff_ = draw(Spread::Some, view.beat, bench_.scheme, bench_.random);
      group_ = view.beat.group;
      struck = true;
      silence(taps, tiedOff_);
    } else if (view.beat.group == group_) {
      silence(taps, static_cast<MemberSet>(bench_.scheme.groups[group_] & ~tiedOff_ & ~(1u << view.beat.source)));
      uncounted = 1;
      done_ = true;
    }
  }

 private:
  Bench& bench_;
  MemberSet tiedOff_ = 0;
  uint8_t group_ = 0;
  bool done_ = false;
};

/** One member receives nothing of others from now on. */
class CutOff : public Adversary {
 public:
  explicit CutOff(Bench& bench) : member_(bench.random.below(kMembers)) { timed = false; }
  void tamper(const View& view, Taps& taps) override {
    taps[member_].silence();
    struck |= view.taken && view.beat.source != member_;
  }

 private:
  unsigned member_;
};

/** While one member sends, another is told that its own beat is taken; who is not tied off sees both. */
class GrantTwice : public Adversary {
 public:
  GrantTwice(Bench& bench, bool tiedOff) : bench_(bench), tiedOff_(tiedOff) {}
  void tamper(const View& view, Taps& taps) override {
    if (struck || !view.taken || !is(Target::Data, view.beat)) return;
    for (unsigned member = 0; member < kMembers; member++) {
      if (member == view.beat.source || !view.requests[member]) continue;
      const Beat& offer = view.offers[member];
      if (!is(Target::Data, offer) || offer.group != view.beat.group) continue;
      struck = true;
      taps[member].grant = true;
      if (tiedOff_) {
        taps[member].silence();
        uncounted = 1;
      }
      return;
    }
  }

 private:
  Bench& bench_;
  bool tiedOff_;
};

Outcome grantTwice(Bench& bench, bool tiedOff) {
  bench.traffic.load.idleOneIn = 2;
  GrantTwice adversary(bench, tiedOff);
  const Outcome outcome = strike(bench, adversary);
  return tiedOff ? outcome : atOnce(bench, outcome);
}

template <class Attack, class... Options>
Outcome with(Bench& bench, Options... options) {
  Attack adversary(bench, options...);
  return strike(bench, adversary);
}

}  // namespace

AttackRows splits(const Scheme& scheme) {
  const Expected expected = detectedIf(scheme.integrity);
  return {
      {"A16", "group split: each receives one of two", expected, 2,
       [](Bench& b, uint32_t) { return with<SplitGroup>(b); }},
      {"A16", "member cut off", expected, 1, [](Bench& b, uint32_t) { return with<CutOff>(b); }},
      {"A16", "two granted at once", expected, 1, [](Bench& b, uint32_t) { return grantTwice(b, false); }},
      {"A16", "two granted at once, one of them tied off", expected, 1,
       [](Bench& b, uint32_t) { return grantTwice(b, true); }},
  };
}

}  // namespace hauberk::bus
