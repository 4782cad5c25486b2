// What a campaign is asked for on the command line, and what it says.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "campaign.h"

namespace hauberk {

constexpr int kCampaignFailed = 1;
constexpr int kCampaignBadInput = 2;

struct CampaignCommand {
  std::string scheme, out;
  CampaignOptions campaign;
};

/** The options of every campaign. */
void describe(CLI::App& app, CampaignCommand& command, const std::string& victims);

/** Parses the command line, and carries out what it asks for; the exit code. */
int runCommand(CLI::App& app, int argc, char** argv, const std::function<int()>& body);

/** What the tally of a row says beside what all of them say. */
using MoreOfTally = std::function<void(nlohmann::ordered_json&, const Tally&)>;

/** A tally as a row of results, and as a line. */
nlohmann::ordered_json toJson(const std::string& scheme, uint64_t seed, const Tally& tally, const MoreOfTally& more);
void print(const Tally& tally, const nlohmann::ordered_json& row);

/** Runs a campaign, prints its tallies and writes them as JSON; the exit code. */
template <typename Target>
int report(Campaign<Target>& campaign, typename Campaign<Target>::Rows rows, const std::string& scheme,
           const CampaignCommand& command, const MoreOfTally& more) {
  const auto begun = std::chrono::steady_clock::now();
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  bool met = true;
  for (const Tally& tally : campaign.run(std::move(rows))) {
    results.push_back(toJson(scheme, command.campaign.seed, tally, more));
    met &= tally.met();
    print(tally, results.back());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%s: %llu cycles in %.1f s, %.0f kHz\n", scheme.c_str(),
              static_cast<unsigned long long>(campaign.cycles()), seconds, campaign.cycles() / seconds / 1000);
  if (!command.out.empty()) std::ofstream(command.out) << results.dump(1) << "\n";
  return met ? 0 : kCampaignFailed;
}

}  // namespace hauberk
