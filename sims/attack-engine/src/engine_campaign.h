// The campaign on one engine: its victims have worked on noise for a while.
#pragma once

#include "attack_class.h"

namespace hauberk::engine {

/** Every row of docs/attack.md that concerns an engine. */
AttackRows allRows(const Scheme& scheme);

class EngineCampaign : public Campaign<Victim> {
 public:
  EngineCampaign(const Scheme& scheme, const CampaignOptions& options);
  uint64_t cycles() const override { return bench_.cycles; }

 protected:
  void makeVictim(uint32_t number) override;
  void back() override;
  Outcome attempt(const AttackRow& row, Tally& tally) override;
  Outcome soak(const AttackRow& row, Tally& tally, uint32_t number, bool needsVictim) override;
  uint32_t soakOf(const AttackRow& row) const override;

 private:
  const Scheme& scheme_;
  Bench bench_;
  Victim victim_;
};

}  // namespace hauberk::engine
