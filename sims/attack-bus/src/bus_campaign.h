// The campaign on one bus: its victims have groups set up with fresh keys, and have worked for a while.
#pragma once

#include <memory>

#include "attack_class.h"

namespace hauberk::bus {

/** Every row of docs/attack.md that concerns a bus. */
AttackRows allRows(const Scheme& scheme);

std::unique_ptr<Campaign<Bench>> makeCampaign(const Scheme& scheme, const CampaignOptions& options);

}  // namespace hauberk::bus
