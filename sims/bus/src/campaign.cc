#include "campaign.h"

#include <algorithm>
#include <stdexcept>

namespace hauberk::bus {

namespace {

AttackRows allRows(const Scheme& scheme) {
  AttackRows rows;
  for (auto make : {losses, splits, spoofs, flips, authentications, setUps, secrecy, soaks}) {
    const AttackRows some = make(scheme);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

}  // namespace

Campaign::Campaign(const Scheme& scheme, const CampaignOptions& options)
    : scheme_(scheme), options_(options), bench_(scheme, options.seed) {}

/** A bus whose groups were set up with fresh keys, and which has worked for a while. */
void Campaign::makeVictim() {
  bench_.drawKeys();
  bench_.traffic.draw();
  bench_.boot();
  if (!bench_.run(40 + bench_.random.below(200))) {
    throw std::runtime_error("the bus stopped while nobody attacked, alarm " + std::to_string(bench_.cause()));
  }
  if (bench_.board.wrong > 0) throw std::runtime_error("something false was delivered while nobody attacked");
  bench_.mark();
}

void Campaign::count(Tally& tally, Outcome outcome, uint64_t weight) {
  tally.attempts += weight;
  if (outcome == Outcome::Missed) {
    tally.missed++;
    if (tally.complaint.empty()) tally.complaint = bench_.complaint;
  } else if (outcome == Outcome::Harmless) {
    tally.harmless += weight;
  } else if (tally.expected == Expected::Peace) {
    tally.falseAlarms++;
  } else {
    tally.detected++;
    tally.causes[bench_.cause()]++;
    tally.worstTransfers = std::max(tally.worstTransfers, bench_.transfersToAlarm);
    tally.worstBusCycles = std::max(tally.worstBusCycles, bench_.busCyclesToAlarm);
  }
}

void Campaign::attack(const AttackRow& row, Tally& tally, uint32_t attempts) {
  constexpr uint32_t kTriesAnAttempt = 20;  // what an adversary waits for may not come
  const uint64_t begun = bench_.cycles;
  uint32_t done = 0;
  for (uint32_t tries = 0; done < attempts && tries < kTriesAnAttempt * attempts; tries++) {
    bench_.back();
    const Outcome outcome = row.attempt(bench_, static_cast<uint32_t>(tally.attempts));
    bench_.adversary = nullptr;
    if (outcome == Outcome::NoEffect) continue;
    count(tally, outcome, 1);
    done++;
  }
  bench_.back();
  tally.cycles += bench_.cycles - begun;
}

/** Runs on and on, without going back, but for a reset now and then. */
void Campaign::soak(const AttackRow& row, Tally& tally, uint32_t transfers) {
  constexpr unsigned kAttemptsASession = 50;
  const uint64_t begun = bench_.cycles;
  bool fresh = false;
  for (unsigned number = 0; tally.attempts < transfers; number++) {
    if (!fresh || number % kAttemptsASession == 0) makeVictim();
    bench_.traffic.draw();
    const uint64_t before = bench_.transfers;
    const Outcome outcome = row.attempt(bench_, 0);
    count(tally, outcome, std::max<uint64_t>(1, bench_.transfers - before));
    fresh = outcome == Outcome::Harmless;
    if (!fresh && tally.complaint.empty()) {
      tally.complaint = "in transfers " + std::to_string(tally.attempts) + ": alarm " + std::to_string(bench_.cause()) +
                        ", " + std::to_string(bench_.board.wrong) + " wrong, " +
                        std::to_string(bench_.board.missing()) + " missing";
    }
  }
  tally.cycles = bench_.cycles - begun;
}

std::vector<Tally> Campaign::run() {
  AttackRows rows = allRows(scheme_);
  const auto unwanted = [&](const AttackRow& row) {
    return row.attackClass != options_.only && row.variant.find(options_.only) == std::string::npos;
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), unwanted), rows.end());
  std::vector<Tally> tallies;
  for (const AttackRow& row : rows) {
    Tally tally;
    tally.attackClass = row.attackClass;
    tally.variant = row.variant;
    tally.expected = row.expected;
    tallies.push_back(tally);
  }
  for (uint32_t v = 0; v < options_.victims; v++) {
    makeVictim();
    for (size_t i = 0; i < rows.size(); i++) {
      const uint64_t goal = uint64_t{options_.attempts} * rows[i].share * (v + 1) / options_.victims;
      if (tallies[i].attempts < goal) attack(rows[i], tallies[i], static_cast<uint32_t>(goal - tallies[i].attempts));
    }
  }
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i].share == 0 && options_.soak > 0) soak(rows[i], tallies[i], options_.soak);
  }
  return tallies;
}

}  // namespace hauberk::bus
