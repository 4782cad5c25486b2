// A22: everything at once, with nobody attacking and with somebody attacking.
#include "attack_class.h"
#include "frames.h"

namespace hauberk::bus {

namespace {

Outcome soak(Bench& bench, uint32_t) {
  if (!bench.run(kTransfersAnAttempt / 2)) return bench.alarmed() ? Outcome::Detected : Outcome::Missed;
  const bool told = bench.scheme.secrecy && bench.watch.inTheClear + bench.watch.reused > 0;
  return bench.board.wrong > 0 || told ? Outcome::Missed : Outcome::Harmless;
}

/** Anything, to anybody, at any time. */
class Anything : public Adversary {
 public:
  explicit Anything(Bench& bench) : bench_(bench), oneIn_(1 + bench.random.below(20)) { timed = false; }
  void tamper(const View& view, Taps& taps) override {
    if (strikes_ == 0 || !bench_.random.oneIn(oneIn_)) return;
    const auto whom = static_cast<MemberSet>(1 + bench_.random.below(15));
    const uint32_t kind = bench_.random.below(5);
    Beat beat = view.beat;
    if (kind == 0) {
      if (!view.taken || (whom & ~(1u << view.beat.source)) == 0) return;
      silence(taps, whom);
    } else if (kind == 1) {
      const unsigned member = bench_.random.below(kMembers);
      if (!view.requests[member] || (view.taken && view.beat.source == member)) return;
      taps[member].grant = true;
    } else {
      if (bench_.history.empty()) return;
      if (kind != 2) beat = bench_.history[bench_.random.below(static_cast<uint32_t>(bench_.history.size()))];
      if (kind == 2 && !view.taken) return;
      if (kind != 3) beat = changed(beat);
      show(taps, whom, beat);
    }
    struck = true;
    strikes_--;
  }

 private:
  Beat changed(Beat beat) {
    Random& random = bench_.random;
    switch (random.below(9)) {
      case 0:
        beat.source = static_cast<uint8_t>(random.below(kMembers));
        break;
      case 1:
        beat.group = static_cast<uint8_t>(random.below(static_cast<uint32_t>(bench_.scheme.groups.size()) + 1));
        break;
      case 2:
        beat.destination = static_cast<uint8_t>(random.below(kMembers));
        break;
      case 3:
        beat.channel = static_cast<uint8_t>(random.below(8));
        break;
      case 4:
        beat.command ^= uint64_t{1} << random.below(kCommandBits);
        break;
      case 5:
        beat.kind = static_cast<uint8_t>(random.below(4));
        break;
      case 6:
        beat.last = !beat.last;
        break;
      case 7:
        beat.hasData = !beat.hasData;
        break;
      default:
        beat.data[random.below(4)] ^= 1u << random.below(32);
    }
    return beat;
  }
  Bench& bench_;
  uint32_t oneIn_;
  unsigned strikes_ = 1 + bench_.random.below(3);
};

Outcome anything(Bench& bench, uint32_t) {
  Anything adversary(bench);
  return strike(bench, adversary);
}

}  // namespace

AttackRows soaks(const Scheme& scheme) {
  return {
      {"A22", "random transfers", Expected::Peace, 0, soak},
      {"A22", "random attacks under traffic", harmlessIf(scheme.commands), 4, anything},
  };
}

}  // namespace hauberk::bus
