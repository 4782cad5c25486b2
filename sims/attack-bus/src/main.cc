// The adversary of one bus: the whole campaign.

#include <iterator>

#include "bus_campaign.h"
#include "campaign_report.h"
#include "registers.h"

namespace {

const char* alarmName(unsigned cause) {
  static const char* const kNames[] = BUS_MEMBER_ALARM_NAMES;
  return cause < std::size(kNames) ? kNames[cause] : "unknown";
}

void alarmsOf(nlohmann::ordered_json& row, const hauberk::Tally& tally) {
  row["worst_transfers"] = tally.worstTransfers;
  row["worst_bus_cycles"] = tally.worstBusCycles;
  row["alarms"] = nlohmann::ordered_json::object();
  for (const auto& [cause, count] : tally.causes) row["alarms"][alarmName(cause)] = count;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hauberk;
  CLI::App app("Attacks one shared bus.");
  CampaignCommand command;
  describe(app, command, "Buses");
  return runCommand(app, argc, argv, [&] {
    const bus::Scheme scheme = bus::Scheme::read(command.scheme);
    const auto campaign = bus::makeCampaign(scheme, command.campaign);
    return report(*campaign, bus::allRows(scheme), scheme.name, command, alarmsOf);
  });
}
