// The adversary of one scheme. Without --attack: the whole campaign; with it: one scripted attack under random traffic.

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign.h"
#include "scripted.h"
#include "user_error.h"

namespace {

using namespace hauberk;
using namespace hauberk::engine;
using Json = nlohmann::ordered_json;

constexpr int kExitFailed = 1;
constexpr int kExitBadInput = 2;

struct Options {
  std::string scheme, out;
  CampaignOptions campaign;
  std::vector<std::string> attacks;
};

void describe(CLI::App& app, Options& options) {
  app.add_option("scheme", options.scheme, "scheme.json of this bench")->required();
  app.add_option("--seed", options.campaign.seed, "Everything random follows from it")->capture_default_str();
  app.add_option("--attempts", options.campaign.attempts, "Attempts for each share of a row")->capture_default_str();
  app.add_option("--soak", options.campaign.soak, "Random transfers with nobody attacking")->capture_default_str();
  app.add_option("--victims", options.campaign.victims, "Engines warmed up to be attacked")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--class", options.campaign.only, "One class only, such as A4");
  app.add_option("--out", options.out, "Write the tallies (JSON) to this file");
  app.add_option("--attack", options.attacks, "Carry out this script instead: KIND:FIELD=VALUE,... (docs/attack.md)")
      ->allow_extra_args(false);
}

Json toJson(const Scheme& scheme, const CampaignOptions& options, const Tally& tally) {
  return {{"scheme", scheme.name},
          {"class", tally.attackClass},
          {"variant", tally.variant},
          {"attempts", tally.attempts},
          {"detected", tally.detected},
          {"missed", tally.missed},
          {"harmless", tally.harmless},
          {"false_alarms", tally.falseAlarms},
          {"expected", nameOf(tally.expected)},
          {"seed", options.seed},
          {"met", tally.met()},
          {"complaint", tally.complaint}};
}

int campaign(const Scheme& scheme, const Options& options) {
  const auto begun = std::chrono::steady_clock::now();
  Campaign campaign(scheme, options.campaign);
  Json rows = Json::array();
  bool met = true;
  for (const Tally& tally : campaign.run()) {
    rows.push_back(toJson(scheme, options.campaign, tally));
    met &= tally.met();
    std::printf(
        "%-4s %-36s %-12s %8llu attempts %8llu detected %8llu missed %8llu harmless %llu false %9llu cycles%s%s\n",
        tally.attackClass.c_str(), tally.variant.c_str(), nameOf(tally.expected).c_str(),
        static_cast<unsigned long long>(tally.attempts), static_cast<unsigned long long>(tally.detected),
        static_cast<unsigned long long>(tally.missed), static_cast<unsigned long long>(tally.harmless),
        static_cast<unsigned long long>(tally.falseAlarms), static_cast<unsigned long long>(tally.cycles),
        tally.met() ? "" : "  <-- NOT MET ", tally.complaint.c_str());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%s: %llu cycles in %.1f s, %.0f kHz\n", scheme.name.c_str(),
              static_cast<unsigned long long>(campaign.cycles()), seconds, campaign.cycles() / seconds / 1000);
  if (!options.out.empty()) std::ofstream(options.out) << rows.dump(1) << "\n";
  return met ? 0 : kExitFailed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Attacks one memory protection engine from outside.");
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitBadInput;
  }
  try {
    const Scheme scheme = Scheme::read(options.scheme);
    if (options.attacks.empty()) return campaign(scheme, options);
    std::vector<AttackScript> scripts;
    for (const std::string& text : options.attacks) scripts.push_back(AttackScript::parse(text));
    return runScripts(scheme, scripts, options.campaign.seed) == Outcome::Missed ? kExitFailed : 0;
  } catch (const UserError& error) {
    std::fprintf(stderr, "attack: %s\n", error.what());
    return kExitBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attack: %s\n", error.what());
    return kExitFailed;
  }
}
