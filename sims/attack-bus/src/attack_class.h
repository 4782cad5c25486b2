// A row of the attack matrix: what is done, and what must come of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench.h"
#include "campaign.h"

namespace hauberk::bus {

using AttackRow = hauberk::AttackRow<Bench>;
using AttackRows = std::vector<AttackRow>;

AttackRows losses(const Scheme& scheme);           // A10: dropped, delayed, exchanged, doubled
AttackRows splits(const Scheme& scheme);           // A16: members that receive different things
AttackRows spoofs(const Scheme& scheme);           // A16: beats nobody sent, and old ones
AttackRows flips(const Scheme& scheme);            // A16: bits
AttackRows authentications(const Scheme& scheme);  // A10, A16: what is done to MACs
AttackRows setUps(const Scheme& scheme);           // A16: what is done before the group agrees
AttackRows secrecy(const Scheme& scheme);          // A16: masks and data on the wires
AttackRows soaks(const Scheme& scheme);            // A22

}  // namespace hauberk::bus
