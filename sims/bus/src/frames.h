// Adversaries that wait for a beat, and what they have in common.
#pragma once

#include <functional>
#include <string>

#include "bench.h"

namespace hauberk::bus {

/** Which beats an attack is about. */
enum class Target { Data, Command, Mac, Share };
bool is(Target target, const Beat& beat);
std::string nameOf(Target target);

/** Whom it meets; never the sender. */
enum class Spread {
  All,
  Destination,  // of a message; of others, anybody
  Bystander,    // somebody else of the group
  Some          // any, at least one
};
std::string nameOf(Spread spread);

using MemberSet = uint8_t;
inline bool has(MemberSet set, unsigned member) { return set >> member & 1; }
/** Never empty, but for a bystander where there is none. */
MemberSet draw(Spread spread, const Beat& beat, const Scheme& scheme, Random& random);

/** Does something to one beat of a kind that the medium takes, after so many of them. */
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

/** Lets some hear a beat later, or once more: when so many other transfers of its group have passed, in the next bus
 * cycle in which nothing is taken. */
class Repeat : public Adversary {
 public:
  Repeat(Bench& bench, Target target, Spread spread, bool keepsBack, unsigned others)
      : bench_(bench), target_(target), spread_(spread), keepsBack_(keepsBack), others_(others) {}
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

/** Lets some hear a beat that nobody sends, in a bus cycle in which nothing is taken. */
class Inject : public Adversary {
 public:
  Inject(Bench& bench, const Beat& beat, MemberSet whom) : bench_(bench), beat_(beat), whom_(whom) {}
  void tamper(const View& view, Taps& taps) override;
  /** How long the bus must have been quiet. */
  unsigned quiet = 0;

 private:
  Bench& bench_;
  Beat beat_;
  MemberSet whom_;
  unsigned quietSince_ = 0;
};

/** All of them hear this, or nothing. */
void show(Taps& taps, MemberSet whom, const Beat& beat);
void silence(Taps& taps, MemberSet whom);

/** Runs traffic for a while, then lets the adversary strike under more of it, and judges. */
Outcome strike(Bench& bench, Adversary& adversary);

/** From now on messages have data, so that all of them are authenticated, whatever the scheme. */
inline void sendDataOnly(Bench& bench) { bench.traffic.load.dataOneIn = 1; }

/** Noise in place of data. */
void scramble(Beat& beat, const Scheme& scheme, Random& random);

}  // namespace hauberk::bus
