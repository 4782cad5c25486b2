// A16: every field of a beat, falsified.
#include "attack_class.h"
#include "frames.h"

namespace hauberk::bus {

namespace {

using Change = std::function<void(Beat&, Bench&)>;

Outcome change(Bench& bench, Target target, Spread spread, const Change& change) {
  OnBeat adversary(
      bench, target, spread,
      [&](const Beat& beat, MemberSet whom, Taps& taps) {
        Beat changed = beat;
        change(changed, bench);
        show(taps, whom, changed);
      },
      bench.random.below(12));
  return strike(bench, adversary);
}

template <class Field>
void flip(Field& field, unsigned bits, Random& random) {
  field = static_cast<Field>(field ^ Field{1} << random.below(bits));
}

void dataBit(Beat& beat, Bench& bench) {
  const uint32_t bit = bench.random.below(32 * bench.scheme.beatWords);
  beat.data[bit / 32] ^= 1u << bit % 32;
}

/** Another kind, of which there may be none. */
void kind(Beat& beat, Bench& bench) { beat.kind = static_cast<uint8_t>((beat.kind + 1 + bench.random.below(3)) % 4); }

/** Another channel, mostly one of those that its receiver receives. */
void channel(Beat& beat, Bench& bench) {
  const unsigned old = beat.channel;
  while (beat.channel == old) {
    beat.channel =
        static_cast<uint8_t>(bench.random.oneIn(4) ? bench.random.below(8) : 2 * bench.random.below(3) + old % 2);
  }
}

}  // namespace

AttackRows flips(const Scheme& scheme) {
  AttackRows rows;
  struct Field {
    std::string name;
    bool onData, onCommand;  // claimed
    Change change;
  };
  const bool i = scheme.integrity, c = scheme.commands;
  const Field fields[] = {
      {"PID", i, c, [](Beat& beat, Bench& b) { flip(beat.source, 2, b.random); }},
      {"GID", i, c, [](Beat& beat, Bench& b) { flip(beat.group, b.scheme.groups.size() > 1 ? 2 : 1, b.random); }},
      {"destination", i, c, [](Beat& beat, Bench& b) { flip(beat.destination, 2, b.random); }},
      {"channel", i, c, channel},
      {"command", c, c, [](Beat& beat, Bench& b) { flip(beat.command, kCommandBits, b.random); }},
      {"kind", i, i, kind},
      {"with or without data", i, i, [](Beat& beat, Bench&) { beat.hasData = !beat.hasData; }},
      {"end of a message", i, c, [](Beat& beat, Bench&) { beat.last = !beat.last; }},
  };
  for (const Spread spread : {Spread::All, Spread::Destination, Spread::Bystander, Spread::Some}) {
    if (!scheme.integrity && spread == Spread::Bystander) continue;
    rows.push_back({"A16", "data bit flipped " + nameOf(spread), detectedIf(scheme.integrity), 1,
                    [=](Bench& b, uint32_t) { return change(b, Target::Data, spread, dataBit); }});
  }
  for (const Field& field : fields) {
    if (field.name == "kind" && !i) continue;  // there is only one
    for (const Target target : {Target::Data, Target::Command}) {
      const bool claimed = target == Target::Data ? field.onData : field.onCommand;
      const Change& how = field.change;
      // Nothing may follow a beat without data, in the clear either: its receiver finds that out, others do not care
      const bool refused = !claimed && target == Target::Command && field.name == "end of a message";
      const Expected expected = refused ? Expected::Harmless : detectedIf(claimed);
      // What is not claimed succeeds if the receiver receives it
      rows.push_back({"A16", nameOf(target) + ": " + field.name + " changed", expected, 1, [=](Bench& b, uint32_t n) {
                        const Spread spread = !claimed || n % 2 == 0 ? Spread::Destination : Spread::Some;
                        return change(b, target, n % 4 == 3 ? Spread::All : spread, how);
                      }});
    }
  }
  return rows;
}

}  // namespace hauberk::bus
