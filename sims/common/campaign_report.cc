#include "campaign_report.h"

#include <exception>

#include "user_error.h"

namespace hauberk {

void describe(CLI::App& app, CampaignCommand& command, const std::string& victims) {
  app.add_option("scheme", command.scheme, "scheme.json of this bench")->required();
  app.add_option("--seed", command.campaign.seed, "Everything random follows from it")->capture_default_str();
  app.add_option("--attempts", command.campaign.attempts, "Attempts for each share of a row")->capture_default_str();
  app.add_option("--soak", command.campaign.soak, "Random transfers with nobody attacking")->capture_default_str();
  app.add_option("--victims", command.campaign.victims, victims + " warmed up to be attacked")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--only,--class", command.campaign.only,
                 "One class only, such as A4, or attacks with this in their name");
  app.add_option("--out", command.out, "Write the tallies (JSON) to this file");
}

int runCommand(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kCampaignBadInput;
  }
  try {
    return body();
  } catch (const UserError& error) {
    std::fprintf(stderr, "attack: %s\n", error.what());
    return kCampaignBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attack: %s\n", error.what());
    return kCampaignFailed;
  }
}

nlohmann::ordered_json toJson(const std::string& scheme, uint64_t seed, const Tally& tally, const MoreOfTally& more) {
  nlohmann::ordered_json row = {
      {"scheme", scheme},           {"class", tally.attackClass},        {"variant", tally.variant},
      {"attempts", tally.attempts}, {"detected", tally.detected},        {"missed", tally.missed},
      {"harmless", tally.harmless}, {"false_alarms", tally.falseAlarms}, {"expected", nameOf(tally.expected)}};
  more(row, tally);
  row["seed"] = seed;
  row["met"] = tally.met();
  row["complaint"] = tally.complaint;
  return row;
}

void print(const Tally& tally, const nlohmann::ordered_json& row) {
  using Number = unsigned long long;
  std::printf("%-4s %-44s %-12s %8llu attempts %8llu detected %8llu missed %8llu harmless %llu false %9llu cycles",
              tally.attackClass.c_str(), tally.variant.c_str(), nameOf(tally.expected).c_str(), Number{tally.attempts},
              Number{tally.detected}, Number{tally.missed}, Number{tally.harmless}, Number{tally.falseAlarms},
              Number{tally.cycles});
  if (row.contains("alarms")) {
    std::printf(", alarm after %llu transfers, %llu bus cycles at worst: %s", Number{tally.worstTransfers},
                Number{tally.worstBusCycles}, row["alarms"].dump().c_str());
  }
  if (tally.leakedBits) std::printf(", %llu bits by addresses", Number{*tally.leakedBits});
  if (tally.alarmAfter) std::printf(", alarm after %llu cycles at worst", Number{*tally.alarmAfter});
  std::printf("%s%s\n", tally.met() ? "" : "  <-- NOT MET ", tally.complaint.c_str());
}

}  // namespace hauberk
