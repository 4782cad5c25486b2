// A scripted attack on one engine under random traffic.
#pragma once

#include <vector>

#include "attack_script.h"
#include "bench.h"

namespace hauberk::engine {

/** Boots, lets random traffic run, does what the scripts say in their cycles (counted from arming), then reads what was
 * attacked. Prints what came of it. Throws UserError for a script that does not fit the scheme. */
Outcome runScripts(const Scheme& scheme, const std::vector<AttackScript>& scripts, uint64_t seed);

}  // namespace hauberk::engine
