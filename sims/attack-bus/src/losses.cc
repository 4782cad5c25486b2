// A10: beats that get lost, come late, come twice, or in another order.
#include "attack_class.h"
#include "frames.h"

namespace hauberk::bus {

namespace {

Outcome lose(Bench& bench, Target target, Spread spread) {
  OnBeat adversary(
      bench, target, spread, [](const Beat&, MemberSet whom, Taps& taps) { silence(taps, whom); },
      bench.random.below(12));
  return strike(bench, adversary);
}

Outcome repeat(Bench& bench, Target target, Spread spread, bool keepsBack, unsigned others) {
  if (!bench.scheme.commands && target == Target::Data) sendDataOnly(bench);
  Repeat adversary(bench, target, spread, keepsBack, others);
  return strike(bench, adversary);
}

/** All beats of a message. */
class LoseMessage : public Adversary {
 public:
  LoseMessage(Bench& bench, Spread spread) : bench_(bench), spread_(spread) {}
  void tamper(const View& view, Taps& taps) override {
    if (!view.taken || done_ || !view.beat.isTransfer()) return;
    if (!struck) {
      if (!view.beat.hasData || within_) {
        within_ = !view.beat.last;
        return;
      }
      whom_ = draw(spread_, view.beat, bench_.scheme, bench_.random);
      struck = true;
    }
    silence(taps, whom_);
    done_ = view.beat.last;
  }

 private:
  Bench& bench_;
  Spread spread_;
  MemberSet whom_ = 0;
  bool within_ = true;
  bool done_ = false;
};

Outcome loseMessage(Bench& bench, Spread spread) {
  LoseMessage adversary(bench, spread);
  return strike(bench, adversary);
}

}  // namespace

AttackRows losses(const Scheme& scheme) {
  AttackRows rows;
  for (const Target target : {Target::Data, Target::Command}) {
    const bool claimed = target == Target::Data ? scheme.integrity : scheme.commands;
    const std::string what = nameOf(target);
    for (const Spread spread : {Spread::All, Spread::Destination, Spread::Bystander, Spread::Some}) {
      if (spread == Spread::Bystander && !claimed) continue;  // who does not care for it
      rows.push_back({"A10", what + " lost " + nameOf(spread), detectedIf(claimed), 1,
                      [=](Bench& b, uint32_t) { return lose(b, target, spread); }});
    }
    for (const Spread spread : {Spread::All, Spread::Destination}) {
      rows.push_back({"A10", what + " twice " + nameOf(spread), detectedIf(claimed), 1,
                      [=](Bench& b, uint32_t n) { return repeat(b, target, spread, false, n % 3); }});
      rows.push_back({"A10", what + " after the next " + nameOf(spread), detectedIf(claimed), 1,
                      [=](Bench& b, uint32_t n) { return repeat(b, target, spread, true, 1 + n % 4); }});
    }
    if (claimed) {
      rows.push_back({"A10", what + " late for all", Expected::Harmless, 1,
                      [=](Bench& b, uint32_t) { return repeat(b, target, Spread::All, true, 0); }});
    }
  }
  for (const Spread spread : {Spread::All, Spread::Destination}) {
    rows.push_back({"A10", "message lost " + nameOf(spread), detectedIf(scheme.integrity), 1,
                    [=](Bench& b, uint32_t) { return loseMessage(b, spread); }});
  }
  return rows;
}

}  // namespace hauberk::bus
