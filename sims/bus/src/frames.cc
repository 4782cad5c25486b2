#include "frames.h"

namespace hauberk::bus {

bool is(Target target, const Beat& beat) {
  switch (target) {
    case Target::Data:
      return beat.kind == kTransfer && beat.hasData;
    case Target::Command:
      return beat.kind == kTransfer && !beat.hasData;
    case Target::Mac:
      return beat.kind == kAuthentication;
    default:
      return beat.kind == kSetUp;
  }
}

std::string nameOf(Target target) {
  switch (target) {
    case Target::Data:
      return "data";
    case Target::Command:
      return "command";
    case Target::Mac:
      return "MAC";
    default:
      return "share";
  }
}

std::string nameOf(Spread spread) {
  switch (spread) {
    case Spread::All:
      return "for all";
    case Spread::Destination:
      return "for its receiver";
    case Spread::Bystander:
      return "for a bystander";
    default:
      return "for some";
  }
}

MemberSet draw(Spread spread, const Beat& beat, const Scheme& scheme, Random& random) {
  const MemberSet members = beat.group < scheme.groups.size() ? scheme.groups[beat.group] : 0xf;
  const auto others = static_cast<MemberSet>(members & ~(1u << beat.source));
  const auto pick = [&](MemberSet from) {
    MemberSet one = 0;
    while (from != 0 && one == 0) one = static_cast<MemberSet>(1u << random.below(kMembers) & from);
    return one;
  };
  switch (spread) {
    case Spread::All:
      return others;
    case Spread::Destination:
      return beat.isTransfer() ? static_cast<MemberSet>(1u << beat.destination) : pick(others);
    case Spread::Bystander:
      return pick(static_cast<MemberSet>(others & ~(beat.isTransfer() ? 1u << beat.destination : 0)));
    default: {
      MemberSet some = 0;
      while (some == 0) some = static_cast<MemberSet>(random.below(16) & others);
      return some;
    }
  }
}

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
  if (others_ > 0) return;
  released_ = struck = true;
  show(taps, whom_, held_);
}

void Inject::tamper(const View& view, Taps& taps) {
  quietSince_ = view.shown ? 0 : quietSince_ + 1;
  if (struck || view.taken || quietSince_ < quiet) return;
  struck = true;
  show(taps, whom_, beat_);
}

void show(Taps& taps, MemberSet whom, const Beat& beat) {
  for (unsigned member = 0; member < kMembers; member++) {
    if (has(whom, member)) taps[member].show(beat);
  }
}

void silence(Taps& taps, MemberSet whom) {
  for (unsigned member = 0; member < kMembers; member++) {
    if (has(whom, member)) taps[member].silence();
  }
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

void scramble(Beat& beat, const Scheme& scheme, Random& random) {
  for (unsigned word = 0; word < scheme.beatWords; word++) beat.data[word] = static_cast<uint32_t>(random.next());
}

}  // namespace hauberk::bus
