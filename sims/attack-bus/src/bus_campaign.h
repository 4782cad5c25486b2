// The campaign on one bus: its victims have groups set up with fresh keys, and have worked for a while.
#pragma once

#include "attack_class.h"

namespace hauberk::bus {

/** Every row of docs/attack.md that concerns a bus. */
AttackRows allRows(const Scheme& scheme);

class BusCampaign : public Campaign<Bench> {
 public:
  BusCampaign(const Scheme& scheme, const CampaignOptions& options);
  uint64_t cycles() const override { return bench_.cycles; }

 protected:
  void makeVictim(uint32_t number) override;
  void back() override { bench_.back(); }
  Outcome attempt(const AttackRow& row, Tally& tally) override;
  Outcome soak(const AttackRow& row, Tally& tally, uint32_t number, bool needsVictim) override;
  uint32_t soakOf(const AttackRow&) const override { return options_.soak; }

 private:
  Bench bench_;
};

}  // namespace hauberk::bus
