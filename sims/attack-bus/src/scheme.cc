#include "scheme.h"

#include "scheme_file.h"

namespace hauberk::bus {

namespace {

void fill(const nlohmann::json& json, Scheme& scheme) {
  scheme.name = json.at("name");
  scheme.beatWords = json.at("beatWords");
  scheme.lineBeats = json.at("lineBeats");
  scheme.ratio = json.at("ratio");
  scheme.groupEntries = json.at("groupEntries");
  for (const auto& members : json.at("groups")) scheme.groups.push_back(members);
  scheme.interval = json.at("interval");
  scheme.window = json.at("window");
  scheme.heartbeat = json.at("heartbeat");
  scheme.timeout = json.at("timeout");
  const nlohmann::json& claims = json.at("claims");
  scheme.secrecy = claims.at("secrecy");
  scheme.integrity = claims.at("integrity");
  scheme.commands = claims.at("commands");
  scheme.masksPerSender = claims.at("masksPerSender");
}

}  // namespace

Scheme Scheme::read(const std::string& path) { return readScheme<Scheme>(path, "buses", fill); }

}  // namespace hauberk::bus
