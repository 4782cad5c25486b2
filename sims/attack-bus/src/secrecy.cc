// A16: what the wires give away. A mask that hides two things gives the sum of both.
#include "attack_class.h"
#include "frames.h"

namespace hauberk::bus {

namespace {

/** What was told is the only thing that counts here: whether it is noticed, other rows say. */
Outcome told(const Bench& bench, Outcome outcome) {
  if (outcome == Outcome::NoEffect) return outcome;
  return bench.watch.inTheClear + bench.watch.reused > 0 ? Outcome::Missed : Outcome::Harmless;
}

Outcome listen(Bench& bench, bool constant) {
  bench.traffic.load.constant = constant;
  bench.traffic.load.dataOneIn = 1;
  const bool right = bench.run(60) && bench.board.wrong == 0;
  return right ? told(bench, Outcome::Harmless) : Outcome::Missed;
}

/** Two members that have data to send are both told that theirs are taken; one may be kept from seeing the other's. */
class GrantBoth : public Adversary {
 public:
  GrantBoth(Bench&, bool tiedOff) : tiedOff_(tiedOff) {}
  void tamper(const View& view, Taps& taps) override {
    if (struck || !view.taken || !is(Target::Data, view.beat)) return;
    for (unsigned member = 0; member < kMembers && !struck; member++) {
      if (member == view.beat.source || !view.requests[member]) continue;
      if (!is(Target::Data, view.offers[member]) || view.offers[member].group != view.beat.group) continue;
      struck = taps[member].grant = true;
      if (tiedOff_) taps[member].silence();
    }
  }

 private:
  bool tiedOff_;
};

/** A member that does not receive a transfer, nor those after it, sends its own data with that transfer's mask. */
class Deafen : public Adversary {
 public:
  explicit Deafen(Bench&) {}
  void tamper(const View& view, Taps& taps) override {
    if (done_ || !view.taken) return;
    if (!struck && is(Target::Data, view.beat) && view.beat.last) {
      for (unsigned member = 0; member < kMembers && !struck; member++) {
        if (member == view.beat.source || !isNext(view, member)) continue;
        struck = true;
        member_ = member;
      }
    }
    if (!struck) return;
    done_ = view.beat.source == member_ && is(Target::Data, view.beat);
    if (view.beat.source != member_) taps[member_].silence();
  }

 private:
  /** It has data for the same group, and nobody has anything more urgent. */
  static bool isNext(const View& view, unsigned member) {
    const Beat& offer = view.offers[member];
    if (!view.requests[member] || !is(Target::Data, offer) || offer.group != view.beat.group) return false;
    for (unsigned other = 0; other < kMembers; other++) {
      const Beat& rival = view.offers[other];
      if (view.requests[other] && (!rival.isTransfer() || rival.channel > offer.channel)) return false;
    }
    return true;
  }
  unsigned member_ = 0;
  bool done_ = false;
};

/** Old ciphertext again and again in place of new, so that the masks that are made of it come again, too. */
class FeedBack : public Adversary {
 public:
  explicit FeedBack(Bench& bench) : bench_(bench), whom_(static_cast<MemberSet>(1 + bench.random.below(15))) {}
  void tamper(const View& view, Taps& taps) override {
    if (!view.taken || !is(Target::Data, view.beat)) return;
    if (!struck) old_ = view.beat.data;
    struck = true;
    Beat beat = view.beat;
    beat.data = old_;
    show(taps, static_cast<MemberSet>(whom_ & ~(1u << beat.source)), beat);
  }

 private:
  Bench& bench_;
  MemberSet whom_;
  BeatData old_{};
};

template <class Attack, class... Options>
Outcome with(Bench& bench, Options... options) {
  bench.traffic.load.idleOneIn = 2;
  sendDataOnly(bench);
  Attack adversary(bench, options...);
  return told(bench, strike(bench, adversary));
}

}  // namespace

AttackRows secrecy(const Scheme& scheme) {
  const Expected peace = scheme.secrecy ? Expected::Peace : Expected::NotClaimed;
  const Expected perSender = harmlessIf(scheme.masksPerSender);
  return {
      {"A16", "data on the wires", peace, 1, [](Bench& b, uint32_t) { return listen(b, false); }},
      {"A16", "equal data look equal", peace, 1, [](Bench& b, uint32_t) { return listen(b, true); }},
      {"A16", "a mask for two: granted at once", harmlessIf(scheme.secrecy), 1,
       [](Bench& b, uint32_t) { return with<GrantBoth>(b, false); }},
      {"A16", "a mask for two: granted at once, one of them tied off", perSender, 1,
       [](Bench& b, uint32_t) { return with<GrantBoth>(b, true); }},
      {"A16", "a mask for two: not told of a transfer", perSender, 1,
       [](Bench& b, uint32_t) { return with<Deafen>(b); }},
      {"A16", "a mask for two: old ciphertext", harmlessIf(scheme.secrecy), 1,
       [](Bench& b, uint32_t) { return with<FeedBack>(b); }},
  };
}

}  // namespace hauberk::bus
