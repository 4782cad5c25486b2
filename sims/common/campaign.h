// All rows of the matrix for one piece of hardware: victims, attempts, tallies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tally.h"

namespace hauberk {

struct CampaignOptions {
  uint64_t seed = 1;
  uint32_t attempts = 250;  // for a share of one
  uint32_t soak = 1000000;  // transfers
  uint32_t victims = 20;
  std::string only;  // a class, or part of a variant, or empty for all
};

/** Transfers in an attempt of a soak, which is counted by transfers. */
constexpr uint32_t kTransfersAnAttempt = 2000;

/** A row of the attack matrix: what is done to a victim, and what must come of it. */
template <typename Target>
struct AttackRow {
  std::string attackClass;  // of docs/attack.md: "A1"
  std::string variant;      // "data bit flipped"
  Expected expected;
  unsigned share;  // attempts, relative to the others; 0 of a soak
  std::function<Outcome(Target&, uint32_t number)> attempt;
  unsigned oneIn = 1;  // of these attempts, for those that take long
};

/** Carries out rows on victims, each of which has worked for a while and is come back to after every attempt.
 *
 * @tparam Target what an attempt is given
 */
template <typename Target>
class Campaign {
 public:
  using Row = AttackRow<Target>;
  using Rows = std::vector<Row>;
  explicit Campaign(const CampaignOptions& options) : options_(options) {}
  virtual ~Campaign() = default;
  std::vector<Tally> run(Rows rows);

  /** Simulated until now. */
  virtual uint64_t cycles() const = 0;

 protected:
  virtual void makeVictim(uint32_t number) = 0;

  /** To the state in which the victim was left. */
  virtual void back() = 0;

  /** An attempt of a row, and what else the tally is to have of it. */
  virtual Outcome attempt(const Row& row, Tally& tally) = 0;

  /** An attempt of a soak, which begins where the last one ended, on a victim that is made here if there is none. */
  virtual Outcome soak(const Row& row, Tally& tally, uint32_t number, bool needsVictim) = 0;

  /** Transfers of a soak. */
  virtual uint32_t soakOf(const Row& row) const = 0;

  const CampaignOptions options_;

 private:
  void attack(const Row& row, Tally& tally, uint32_t attempts);
};

template <typename Target>
void Campaign<Target>::attack(const Row& row, Tally& tally, uint32_t attempts) {
  // Some targets are in a cache, so that what memory holds does not matter; what an adversary waits for may not come
  constexpr uint32_t kTriesAnAttempt = 20;
  const uint64_t begun = cycles();
  uint32_t done = 0;
  for (uint32_t tries = 0; done < attempts && tries < kTriesAnAttempt * attempts; tries++) {
    back();
    const Outcome outcome = attempt(row, tally);
    if (outcome == Outcome::NoEffect) continue;
    tally.count(outcome, 1);
    done++;
  }
  back();
  tally.cycles += cycles() - begun;
}

template <typename Target>
std::vector<Tally> Campaign<Target>::run(Rows rows) {
  const auto unwanted = [&](const Row& row) {
    return row.attackClass != options_.only && row.variant.find(options_.only) == std::string::npos;
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), unwanted), rows.end());
  std::vector<Tally> tallies;
  for (const Row& row : rows) {
    Tally tally;
    tally.attackClass = row.attackClass;
    tally.variant = row.variant;
    tally.expected = row.expected;
    tallies.push_back(tally);
  }
  for (uint32_t v = 0; v < options_.victims; v++) {
    makeVictim(v);
    for (size_t i = 0; i < rows.size(); i++) {
      const uint64_t goal = uint64_t{options_.attempts} * rows[i].share * (v + 1) / options_.victims / rows[i].oneIn;
      if (tallies[i].attempts < goal) attack(rows[i], tallies[i], static_cast<uint32_t>(goal - tallies[i].attempts));
    }
  }
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i].share > 0 || options_.soak == 0) continue;
    const uint64_t begun = cycles();
    bool fresh = false;
    for (uint32_t number = 0; tallies[i].attempts < soakOf(rows[i]); number++) {
      fresh = soak(rows[i], tallies[i], number, !fresh) == Outcome::Harmless;
    }
    tallies[i].cycles = cycles() - begun;
  }
  return tallies;
}

}  // namespace hauberk
