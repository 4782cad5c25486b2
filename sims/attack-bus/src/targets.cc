#include "targets.h"

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

void scramble(Beat& beat, const Scheme& scheme, Random& random) {
  for (unsigned word = 0; word < scheme.beatWords; word++) beat.data[word] = static_cast<uint32_t>(random.next());
}

}  // namespace hauberk::bus
