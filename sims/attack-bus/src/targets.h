// Which beats an attack is about, and whom it meets.
#pragma once

#include <string>

#include "random.h"
#include "pins.h"
#include "scheme.h"

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

/** All of them receive this, or nothing. */
void show(Taps& taps, MemberSet whom, const Beat& beat);
void silence(Taps& taps, MemberSet whom);

/** Noise in place of data. */
void scramble(Beat& beat, const Scheme& scheme, Random& random);

}  // namespace hauberk::bus
