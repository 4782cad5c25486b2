#include "bus_campaign.h"

#include <algorithm>
#include <stdexcept>

namespace hauberk::bus {

AttackRows allRows(const Scheme& scheme) {
  AttackRows rows;
  for (auto make : {losses, splits, spoofs, flips, authentications, setUps, secrecy, soaks}) {
    const AttackRows some = make(scheme);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

namespace {

class BusCampaign : public Campaign<Bench> {
 public:
  BusCampaign(const Scheme& scheme, const CampaignOptions& options) : Campaign(options), bench_(scheme, options.seed) {}

  uint64_t cycles() const override { return bench_.cycles; }

 protected:
  void makeVictim(uint32_t) override {
    bench_.drawKeys();
    bench_.traffic.draw();
    bench_.boot();
    if (!bench_.run(40 + bench_.random.below(200))) {
      throw std::runtime_error("the bus stopped while nobody attacked, alarm " + std::to_string(bench_.cause()));
    }
    if (bench_.board.wrong > 0) throw std::runtime_error("something false was delivered while nobody attacked");
    bench_.mark();
  }

  Outcome attempt(const AttackRow& row, Tally& tally) override {
    const Outcome outcome = row.attempt(bench_, static_cast<uint32_t>(tally.attempts));
    bench_.adversary = nullptr;
    if (outcome == Outcome::Missed && tally.complaint.empty()) tally.complaint = bench_.complaint;
    if (outcome == Outcome::Detected && row.expected != Expected::Peace) {
      tally.causes[bench_.cause()]++;
      tally.worstTransfers = std::max(tally.worstTransfers, bench_.transfersToAlarm);
      tally.worstBusCycles = std::max(tally.worstBusCycles, bench_.busCyclesToAlarm);
    }
    return outcome;
  }

  /** Runs on and on, without going back, but for a reset now and then. */
  Outcome soak(const AttackRow& row, Tally& tally, uint32_t number, bool needsVictim) override {
    constexpr unsigned kAttemptsASession = 50;
    if (needsVictim || number % kAttemptsASession == 0) makeVictim(number);
    bench_.traffic.draw();
    const uint64_t before = bench_.transfers;
    const Outcome outcome = row.attempt(bench_, 0);
    tally.count(outcome, std::max<uint64_t>(1, bench_.transfers - before));
    if (outcome != Outcome::Harmless && tally.complaint.empty()) {
      tally.complaint = "in transfers " + std::to_string(tally.attempts) + ": alarm " + std::to_string(bench_.cause()) +
                        ", " + std::to_string(bench_.board.wrong) + " wrong, " +
                        std::to_string(bench_.board.missing()) + " missing";
    }
    return outcome;
  }

  void back() override { bench_.back(); }

  uint32_t soakOf(const AttackRow&) const override { return options_.soak; }

 private:
  Bench bench_;
};

}  // namespace

std::unique_ptr<Campaign<Bench>> makeCampaign(const Scheme& scheme, const CampaignOptions& options) {
  return std::make_unique<BusCampaign>(scheme, options);
}

}  // namespace hauberk::bus
