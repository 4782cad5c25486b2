#include "engine_campaign.h"

#include <algorithm>
#include <stdexcept>

namespace hauberk::engine {

AttackRows allRows(const Scheme& scheme) {
  AttackRows rows;
  for (auto make : {tampering, replays, resets, repetitions, busAttacks, writeAttacks, keyAttacks, pairAttacks,
                    steeringAttacks, heldVerdicts, timing, soaks}) {
    const AttackRows some = make(scheme);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

namespace {

void drawManners(Bench& bench) {
  bench.steering.draw();
  Random& random = bench.random;
  bench.memory.timing.latency = 1 + random.below(random.oneIn(8) ? 100 : 10);
  bench.memory.timing.jitter = random.oneIn(2) ? 0 : random.below(20);
  bench.memory.timing.inOrder = random.oneIn(2);
  bench.memory.timing.stallOneIn = random.oneIn(4) ? 2 + random.below(12) : 0;
  bench.client.idleOneIn = random.oneIn(4) ? 2 + random.below(12) : 0;
  bench.client.stallOneIn = random.oneIn(4) ? 2 + random.below(12) : 0;
}

class EngineCampaign : public Campaign<Victim> {
 public:
  EngineCampaign(const Scheme& scheme, const CampaignOptions& options)
      : Campaign(options), scheme_(scheme), bench_(scheme, options.seed), victim_{bench_, {}, {}} {}

  uint64_t cycles() const override { return bench_.cycles; }

 protected:
  /** Half-way the victim's memory is kept for replays. */
  void makeVictim(uint32_t number) override {
    drawManners(bench_);
    bench_.memory.interposer = nullptr;
    bench_.memory.fillWithNoise(bench_.random);
    bench_.boot();
    // A counter that ends must last for what comes after
    const uint32_t half = scheme_.countersEnd() ? 400 : std::clamp(scheme_.blocks(), 400u, 1500u) * (1 + number % 2);
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

  void back() override {
    bench_.memory.interposer = nullptr;
    bench_.back();
  }

  Outcome attempt(const AttackRow& row, Tally& tally) override {
    bench_.leakedBits.reset();
    bench_.alarmAfter.reset();
    try {
      const Outcome outcome = row.attempt(victim_, static_cast<uint32_t>(tally.attempts));
      if (outcome != Outcome::NoEffect) {
        tally.leakedBits = std::max(tally.leakedBits, bench_.leakedBits);
        tally.alarmAfter = std::max(tally.alarmAfter, bench_.alarmAfter);
      }
      return outcome;
    } catch (const std::runtime_error& error) {
      if (tally.complaint.empty()) tally.complaint = error.what();
      return Outcome::Missed;
    }
  }

  /** Runs on and on, without going back: what needs many transfers to happen, such as the overflow of a counter,
   * happens.
   */
  Outcome soak(const AttackRow& row, Tally& tally, uint32_t, bool needsVictim) override {
    if (needsVictim) makeVictim(static_cast<uint32_t>(tally.attempts / kTransfersAnAttempt));
    drawManners(bench_);
    const Outcome outcome = row.attempt(victim_, 0);
    tally.count(outcome, kTransfersAnAttempt);
    bench_.client.wrong = bench_.client.denied = 0;
    if (outcome != Outcome::Harmless && tally.complaint.empty()) {
      tally.complaint = "in transfers " + std::to_string(tally.attempts) + ": " +
                        (outcome == Outcome::Missed ? "a wrong answer or none" : "an alarm") + ", cause " +
                        std::to_string(bench_.status().cause);
    }
    return outcome;
  }

  uint32_t soakOf(const AttackRow& row) const override {
    return row.attackClass == "A22" ? options_.soak : options_.soak / 10;
  }

 private:
  const Scheme& scheme_;
  Bench bench_;
  Victim victim_;
};

}  // namespace

std::unique_ptr<Campaign<Victim>> makeCampaign(const Scheme& scheme, const CampaignOptions& options) {
  return std::make_unique<EngineCampaign>(scheme, options);
}

}  // namespace hauberk::engine
