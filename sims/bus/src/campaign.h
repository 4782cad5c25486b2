// All rows of the matrix for one bus: victims, attempts, tallies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attack_class.h"
#include "tally.h"

namespace hauberk::bus {

struct CampaignOptions {
  uint64_t seed = 1;
  uint32_t attempts = 250;  // for a share of one
  uint32_t soak = 1000000;  // transfers
  uint32_t victims = 20;
  std::string only;  // a class, or part of a variant, or empty for all
};

class Campaign {
 public:
  Campaign(const Scheme& scheme, const CampaignOptions& options);
  std::vector<Tally> run();
  uint64_t cycles() const { return bench_.cycles; }

 private:
  void makeVictim();
  void attack(const AttackRow& row, Tally& tally, uint32_t attempts);
  void soak(const AttackRow& row, Tally& tally, uint32_t transfers);
  void count(Tally& tally, Outcome outcome, uint64_t weight);

  const Scheme& scheme_;
  const CampaignOptions options_;
  Bench bench_;
};

}  // namespace hauberk::bus
