#include "scheme.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace hauberk::engine {

namespace {

MetadataArray arrayFrom(const nlohmann::json& json) {
  MetadataArray array;
  array.kind = json.at("kind");
  array.level = json.at("level");
  array.base = json.at("base");
  array.lines = json.at("lines");
  array.blocksPerLine = json.at("blocksPerLine");
  array.entryBits = json.at("entryBits");
  return array;
}

Detection detectionFrom(const std::string& name) {
  static const std::map<std::string, Detection> kNames = {{"none", Detection::None},
                                                          {"answer", Detection::Answer},
                                                          {"later", Detection::Later},
                                                          {"check", Detection::Check}};
  const auto found = kNames.find(name);
  if (found == kNames.end()) throw std::runtime_error("detection \"" + name + "\" is unknown");
  return found->second;
}

}  // namespace

Scheme Scheme::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path + ": emit the engines first");
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    Scheme scheme;
    scheme.name = json.at("name");
    scheme.localBytes = json.at("localBytes");
    scheme.dataBytes = json.at("dataBytes");
    scheme.clientIds = json.at("clientIds");
    scheme.keySlots = json.at("keySlots");
    scheme.keyWords = json.at("keyWords");
    for (const auto& array : json.at("arrays")) scheme.arrays.push_back(arrayFrom(array));
    const nlohmann::json& claims = json.at("claims");
    scheme.integrity = claims.at("integrity");
    scheme.freshness = claims.at("freshness");
    scheme.freshCiphertext = claims.at("freshCiphertext");
    scheme.newKeyAtReset = claims.at("newKeyAtReset");
    scheme.detection = detectionFrom(claims.at("detection"));
    return scheme;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace hauberk::engine
