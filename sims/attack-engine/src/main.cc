// The adversary of one scheme. Without --attack: the whole campaign; with it: one scripted attack under random traffic.

#include "attack_script.h"
#include "campaign_report.h"
#include "engine_campaign.h"
#include "scripted.h"

int main(int argc, char** argv) {
  using namespace hauberk;
  CLI::App app("Attacks one memory protection engine from outside.");
  CampaignCommand command;
  std::vector<std::string> attacks;
  describe(app, command, "Engines");
  app.add_option("--attack", attacks, "Carry out this script instead: KIND:FIELD=VALUE,... (docs/attack.md)")
      ->allow_extra_args(false);
  return runCommand(app, argc, argv, [&] {
    const engine::Scheme scheme = engine::Scheme::read(command.scheme);
    if (attacks.empty()) {
      const auto campaign = engine::makeCampaign(scheme, command.campaign);
      return report(*campaign, engine::allRows(scheme), scheme.name, command,
                    [](nlohmann::ordered_json& row, const Tally& tally) {
                      if (tally.leakedBits) row["leaked_bits"] = *tally.leakedBits;
                      if (tally.alarmAfter) row["alarm_cycles"] = *tally.alarmAfter;
                    });
    }
    std::vector<AttackScript> scripts;
    for (const std::string& text : attacks) scripts.push_back(AttackScript::parse(text));
    const Outcome outcome = engine::runScripts(scheme, scripts, command.campaign.seed);
    return outcome == Outcome::Missed ? kCampaignFailed : 0;
  });
}
