#include "scheme.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace hauberk::bus {

Scheme Scheme::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path + ": emit the buses first");
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    Scheme scheme;
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
    return scheme;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace hauberk::bus
