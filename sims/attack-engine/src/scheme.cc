#include "scheme.h"

#include <map>
#include <stdexcept>

#include "scheme_file.h"

namespace hauberk::engine {

namespace {

MetadataArray arrayFrom(const nlohmann::json& json, uint32_t lineBytes) {
  MetadataArray array;
  array.kind = json.at("kind");
  array.level = json.at("level");
  array.base = json.at("base");
  array.lines = json.at("lines");
  array.blocksPerLine = json.at("blocksPerLine");
  array.entryBits = json.at("entryBits");
  array.lineBytes = lineBytes;
  return array;
}

PairCounters pairsFrom(const nlohmann::json& json) {
  PairCounters pairs;
  pairs.registers = json.at("registers");
  pairs.ids = json.at("ids");
  pairs.lastGlobal = json.at("lastGlobal");
  pairs.lastValue = json.at("lastValue");
  return pairs;
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

void fill(const nlohmann::json& json, Scheme& scheme) {
  scheme.name = json.at("name");
  scheme.localBytes = json.at("localBytes");
  scheme.dataBytes = json.at("dataBytes");
  scheme.blockBytes = json.at("blockBytes");
  scheme.clientIds = json.at("clientIds");
  scheme.keySlots = json.at("keySlots");
  scheme.keyWords = json.at("keyWords");
  for (const auto& array : json.at("arrays")) scheme.arrays.push_back(arrayFrom(array, scheme.blockBytes));
  if (json.contains("pairs")) scheme.pairs = pairsFrom(json.at("pairs"));
  const nlohmann::json& claims = json.at("claims");
  scheme.integrity = claims.at("integrity");
  scheme.freshness = claims.at("freshness");
  scheme.freshCiphertext = claims.at("freshCiphertext");
  scheme.newKeyAtReset = claims.at("newKeyAtReset");
  scheme.detection = detectionFrom(claims.at("detection"));
  scheme.verdictTimeout = json.at("verdictTimeout");
}

}  // namespace

Scheme Scheme::read(const std::string& path) { return readScheme<Scheme>(path, "engines", fill); }

}  // namespace hauberk::engine
