// Adversaries that wait for a beat, and how they are let loose.
#pragma once

#include <functional>

#include "bench.h"
#include "targets.h"

namespace hauberk::bus {

/** Does something to one beat of a kind that the shared bus takes, after so many of them. */
class OnBeat : public Adversary {
 public:
  using Act = std::function<void(const Beat& beat, MemberSet whom, Taps& taps)>;
  OnBeat(Bench& bench, Target target, Spread spread, Act act, unsigned after = 0)
      : bench_(bench), target_(target), spread_(spread), act_(std::move(act)), left_(after) {}
  void tamper(const View& view, Taps& taps) override;

 private:
  Bench& bench_;
  Target target_;
  Spread spread_;
  Act act_;
  unsigned left_;
};

/** Lets some receive a beat later, or once more: when so many other transfers of its group have passed, in the next bus
 * cycle in which nothing is taken. */
class Repeat : public Adversary {
 public:
  Repeat(Bench& bench, Target target, Spread spread, bool keepsBack, unsigned others)
      : bench_(bench), target_(target), spread_(spread), keepsBack_(keepsBack), others_(others) {
    timed = target != Target::Mac;
  }
  void tamper(const View& view, Taps& taps) override;

 private:
  Bench& bench_;
  Target target_;
  Spread spread_;
  bool keepsBack_;
  unsigned others_;
  bool holds_ = false;
  bool released_ = false;
  Beat held_;
  MemberSet whom_ = 0;
};

/** Lets some receive a beat that nobody sends, in a bus cycle in which nothing is taken. */
class Inject : public Adversary {
 public:
  Inject(Bench& bench, const Beat& beat, MemberSet whom) : bench_(bench), beat_(beat), whom_(whom) {}
  void tamper(const View& view, Taps& taps) override;
  /** For how many bus cycles the shared bus must have been idle; if 0, what is shown and not taken may be lost by it.
   */
  unsigned quiet = 0;

 private:
  Bench& bench_;
  Beat beat_;
  MemberSet whom_;
  unsigned quietSince_ = 0;
};

/** Runs traffic for a while, then lets the adversary strike under more of it, and judges. */
Outcome strike(Bench& bench, Adversary& adversary);

/** Of an attack that must be found out in the cycle in which it is seen: an alarm that came later is none. */
Outcome atOnce(Bench& bench, Outcome outcome);

/** From now on messages have data, so that all of them are authenticated, whatever the scheme. */
inline void sendDataOnly(Bench& bench) { bench.traffic.load.dataOneIn = 1; }

}  // namespace hauberk::bus
