// The adversary of one bus: the whole campaign.

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign.h"

namespace {

using namespace hauberk::bus;
using Json = nlohmann::ordered_json;

constexpr int kExitFailed = 1;
constexpr int kExitBadInput = 2;

struct Options {
  std::string scheme, out;
  CampaignOptions campaign;
};

void describe(CLI::App& app, Options& options) {
  app.add_option("scheme", options.scheme, "scheme.json of this bench")->required();
  app.add_option("--seed", options.campaign.seed, "Everything random follows from it")->capture_default_str();
  app.add_option("--attempts", options.campaign.attempts, "Attempts for each share of a row")->capture_default_str();
  app.add_option("--soak", options.campaign.soak, "Random transfers with nobody attacking")->capture_default_str();
  app.add_option("--victims", options.campaign.victims, "Buses warmed up to be attacked")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--only", options.campaign.only, "One class only, such as A16, or attacks with this in their name");
  app.add_option("--out", options.out, "Write the tallies (JSON) to this file");
}

std::string alarmName(unsigned cause) {
  static const char* const kNames[] = {"none",    "own PID", "mismatch", "out of turn",
                                       "silence", "overrun", "other",    "collision"};
  return cause < std::size(kNames) ? kNames[cause] : "?";
}

Json toJson(const Scheme& scheme, const CampaignOptions& options, const Tally& tally) {
  Json causes = Json::object();
  for (const auto& [cause, count] : tally.causes) causes[alarmName(cause)] = count;
  return {{"scheme", scheme.name},
          {"class", tally.attackClass},
          {"variant", tally.variant},
          {"attempts", tally.attempts},
          {"detected", tally.detected},
          {"missed", tally.missed},
          {"harmless", tally.harmless},
          {"false_alarms", tally.falseAlarms},
          {"expected", nameOf(tally.expected)},
          {"worst_transfers", tally.worstTransfers},
          {"worst_bus_cycles", tally.worstBusCycles},
          {"alarms", causes},
          {"seed", options.seed},
          {"met", tally.met()},
          {"complaint", tally.complaint}};
}

void print(const Tally& tally) {
  using Number = unsigned long long;
  std::printf(
      "%-4s %-44s %-12s %7llu attempts %7llu detected %7llu missed %7llu harmless %llu false, worst %3llu transfers "
      "%3llu bus "
      "cycles, %9llu cycles",
      tally.attackClass.c_str(), tally.variant.c_str(), nameOf(tally.expected).c_str(), Number{tally.attempts},
      Number{tally.detected}, Number{tally.missed}, Number{tally.harmless}, Number{tally.falseAlarms},
      Number{tally.worstTransfers}, Number{tally.worstBusCycles}, Number{tally.cycles});
  for (const auto& [cause, count] : tally.causes) std::printf(" %s %llu", alarmName(cause).c_str(), Number{count});
  std::printf("%s%s\n", tally.met() ? "" : "  <-- NOT MET ", tally.complaint.c_str());
}

int campaign(const Scheme& scheme, const Options& options) {
  const auto begun = std::chrono::steady_clock::now();
  Campaign campaign(scheme, options.campaign);
  Json rows = Json::array();
  bool met = true;
  for (const Tally& tally : campaign.run()) {
    rows.push_back(toJson(scheme, options.campaign, tally));
    met &= tally.met();
    print(tally);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%s: %llu cycles in %.1f s, %.0f kHz\n", scheme.name.c_str(),
              static_cast<unsigned long long>(campaign.cycles()), seconds, campaign.cycles() / seconds / 1000);
  if (!options.out.empty()) std::ofstream(options.out) << rows.dump(1) << "\n";
  return met ? 0 : kExitFailed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Attacks one shared bus.");
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitBadInput;
  }
  try {
    return campaign(Scheme::read(options.scheme), options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attack: %s\n", error.what());
    return kExitFailed;
  }
}
