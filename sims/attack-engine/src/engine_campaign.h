// The campaign on one engine: its victims have worked on noise for a while.
#pragma once

#include <memory>

#include "attack_class.h"

namespace hauberk::engine {

/** Every row of docs/attack.md that concerns an engine. */
AttackRows allRows(const Scheme& scheme);

std::unique_ptr<Campaign<Victim>> makeCampaign(const Scheme& scheme, const CampaignOptions& options);

}  // namespace hauberk::engine
