#include "frames.h"

namespace hauberk::bus {

void OnBeat::tamper(const View& view, Taps& taps) {
  if (struck || !view.taken || !is(target_, view.beat)) return;
  if (left_ > 0) {
    left_--;
    return;
  }
  const MemberSet whom = draw(spread_, view.beat, bench_.scheme, bench_.random);
  if (whom == 0) return;
  struck = true;
  act_(view.beat, whom, taps);
}

void Repeat::tamper(const View& view, Taps& taps) {
  if (released_) return;
  if (!holds_) {
    if (!view.taken || !is(target_, view.beat)) return;
    held_ = view.beat;
    whom_ = draw(spread_, held_, bench_.scheme, bench_.random);
    if (whom_ == 0) return;
    holds_ = true;
    if (!keepsBack_) return;
    struck = true;
    silence(taps, whom_);
    return;
  }
  if (view.taken) {
    if (others_ > 0 && view.beat.isTransfer() && view.beat.group == held_.group) others_--;
    return;
  }
  // Who receives something else accepts what is shown, so that it would be lost
  if (others_ > 0 || view.shown) return;
  released_ = struck = true;
  show(taps, whom_, held_);
}

void Inject::tamper(const View& view, Taps& taps) {
  quietSince_ = view.shown ? 0 : quietSince_ + 1;
  if (struck || view.taken || quietSince_ < quiet) return;
  struck = true;
  show(taps, whom_, beat_);
}

Outcome strike(Bench& bench, Adversary& adversary) {
  constexpr unsigned kLongest = 600;  // bus cycles until what an adversary waits for has come
  bench.traffic.on = true;
  for (unsigned i = bench.random.below(60); i > 0 && !bench.alarmed(); i--) bench.busCycle();
  bench.adversary = &adversary;
  for (unsigned i = 0; i < kLongest && !adversary.struck && !bench.alarmed(); i++) bench.busCycle();
  if (!adversary.struck && !bench.alarmed()) return Outcome::NoEffect;
  return bench.judge();
}

Outcome atOnce(Bench& bench, Outcome outcome) {
  constexpr unsigned kAtOnce = 2;  // cycles
  if (outcome != Outcome::Detected || bench.cyclesToAlarm <= kAtOnce) return outcome;
  bench.complaint = "the alarm came late";
  return Outcome::Missed;
}

}  // namespace hauberk::bus
