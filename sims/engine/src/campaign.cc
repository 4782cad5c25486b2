#include "campaign.h"

#include <algorithm>
#include <stdexcept>

namespace hauberk::engine {

namespace {

AttackRows allRows(const Scheme& scheme) {
  AttackRows rows;
  for (auto make : {tampering, replays, resets, repetitions, busAttacks, writeAttacks, keyAttacks, timing, soaks}) {
    const AttackRows some = make(scheme);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

void drawTiming(Bench& bench) {
  Random& random = bench.random;
  bench.memory.timing.latency = 1 + random.below(random.oneIn(8) ? 100 : 10);
  bench.memory.timing.jitter = random.oneIn(2) ? 0 : random.below(20);
  bench.memory.timing.inOrder = random.oneIn(2);
  bench.memory.timing.stallOneIn = random.oneIn(4) ? 2 + random.below(12) : 0;
  bench.client.idleOneIn = random.oneIn(4) ? 2 + random.below(12) : 0;
  bench.client.stallOneIn = random.oneIn(4) ? 2 + random.below(12) : 0;
}

}  // namespace

std::string nameOf(Expected expected) {
  switch (expected) {
    case Expected::Detected:
    case Expected::Noticed:
      return "detected";
    case Expected::NotClaimed:
      return "not claimed";
    default:
      return "harmless";
  }
}

bool Tally::met() const {
  if (!complaint.empty() && expected != Expected::NotClaimed) return false;
  switch (expected) {
    case Expected::Detected:
      return missed == 0 && harmless == 0 && detected > 0;
    case Expected::Noticed:
      return missed == 0 && detected > 0;
    case Expected::NotClaimed:
      return missed > 0;
    default:
      return missed == 0 && falseAlarms == 0 && attempts > 0;
  }
}

Campaign::Campaign(const Scheme& scheme, const CampaignOptions& options)
    : scheme_(scheme), options_(options), bench_(scheme, options.seed), victim_{bench_, {}, {}} {}

/** An engine that started on noise and has worked for a while; half-way its memory is kept for replays. */
void Campaign::makeVictim(uint32_t number) {
  drawTiming(bench_);
  bench_.memory.interposer = nullptr;
  bench_.memory.fillWithNoise(bench_.random);
  bench_.boot();
  const uint32_t half = std::clamp(scheme_.blocks(), 400u, 1500u) * (1 + number % 2);
  for (int part = 0; part < 2; part++) {
    if (!bench_.traffic(half)) throw std::runtime_error("the engine stopped answering while nobody attacked");
    bench_.flush();
    if (!bench_.drain()) throw std::runtime_error("memory never falls quiet while nobody attacks");
    if (part == 1) break;
    victim_.old.assign(bench_.memory.stored.at(0), bench_.memory.stored.at(0) + scheme_.localBytes);
    victim_.plain.assign(bench_.client.plain().at(0), bench_.client.plain().at(0) + scheme_.dataBytes);
  }
  if (bench_.client.wrong + bench_.client.denied > 0 || bench_.status().alarm) {
    throw std::runtime_error("the engine gave a wrong answer or an alarm (cause " +
                             std::to_string(bench_.status().cause) + ", address " +
                             std::to_string(bench_.status().address) + ") while nobody attacked");
  }
  bench_.mark();
}

void Campaign::count(Tally& tally, Outcome outcome, uint32_t weight) {
  tally.attempts += weight;
  if (outcome == Outcome::Missed) {
    tally.missed++;
  } else if (outcome == Outcome::Harmless) {
    tally.harmless += weight;
  } else if (tally.expected == Expected::Peace) {
    tally.falseAlarms++;
  } else {
    tally.detected++;
  }
}

void Campaign::attack(const AttackRow& row, Tally& tally, uint32_t attempts) {
  constexpr uint32_t kTriesAnAttempt = 20;  // some targets are in a cache, so that what memory holds does not matter
  const uint64_t begun = bench_.cycles;
  uint32_t done = 0;
  for (uint32_t tries = 0; done < attempts && tries < kTriesAnAttempt * attempts; tries++) {
    bench_.back();
    Outcome outcome;
    try {
      outcome = row.attempt(victim_, static_cast<uint32_t>(tally.attempts));
    } catch (const std::runtime_error& error) {
      if (tally.complaint.empty()) tally.complaint = error.what();
      outcome = Outcome::Missed;
    }
    if (outcome == Outcome::NoEffect) continue;
    count(tally, outcome, 1);
    done++;
  }
  bench_.memory.interposer = nullptr;
  bench_.back();
  tally.cycles += bench_.cycles - begun;
}

/** Runs on and on, without going back: what needs many transfers to happen, such as the overflow of a counter, happens.
 */
void Campaign::soak(const AttackRow& row, Tally& tally, uint32_t transfers) {
  const uint64_t begun = bench_.cycles;
  bool fresh = false;
  while (tally.attempts < transfers) {
    if (!fresh) makeVictim(static_cast<uint32_t>(tally.attempts / kTransfersAnAttempt));
    drawTiming(bench_);
    const Outcome outcome = row.attempt(victim_, 0);
    count(tally, outcome, kTransfersAnAttempt);
    fresh = outcome == Outcome::Harmless;
    bench_.client.wrong = bench_.client.denied = 0;
    if (!fresh && tally.complaint.empty()) {
      tally.complaint = "in transfers " + std::to_string(tally.attempts) + ": " +
                        (outcome == Outcome::Missed ? "a wrong answer or none" : "an alarm") + ", cause " +
                        std::to_string(bench_.status().cause);
    }
  }
  tally.cycles = bench_.cycles - begun;
}

std::vector<Tally> Campaign::run() {
  AttackRows rows = allRows(scheme_);
  std::vector<Tally> tallies;
  for (const AttackRow& row : rows) {
    Tally tally;
    tally.attackClass = row.attackClass;
    tally.variant = row.variant;
    tally.expected = row.expected;
    tallies.push_back(tally);
  }
  const auto wanted = [&](const AttackRow& row) { return options_.only.empty() || row.attackClass == options_.only; };
  for (uint32_t v = 0; v < options_.victims; v++) {
    makeVictim(v);
    for (size_t i = 0; i < rows.size(); i++) {
      const uint64_t goal = uint64_t{options_.attempts} * rows[i].share * (v + 1) / options_.victims;
      if (!wanted(rows[i]) || tallies[i].attempts >= goal) continue;
      attack(rows[i], tallies[i], static_cast<uint32_t>(goal - tallies[i].attempts));
    }
  }
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i].share > 0 || !wanted(rows[i]) || options_.soak == 0) continue;
    soak(rows[i], tallies[i], rows[i].attackClass == "A22" ? options_.soak : options_.soak / 10);
  }
  std::vector<Tally> done;
  for (size_t i = 0; i < rows.size(); i++) {
    if (wanted(rows[i])) done.push_back(tallies[i]);
  }
  return done;
}

}  // namespace hauberk::engine
