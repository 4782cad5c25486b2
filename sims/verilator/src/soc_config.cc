#include "soc_config.h"

#include "json_file.h"
#include "user_error.h"

namespace hauberk {

namespace {

MetadataMap metadataOf(const JsonFile& file, uint64_t dramBase, uint64_t dramBytes) {
  std::vector<Bank> banks;
  std::vector<MetadataArray> arrays;
  const uint64_t blockBytes = file.number("blockBytes");
  file.each("banks", [&](const JsonFile& json) {
    Bank bank;
    bank.base = json.number("base");
    bank.bytes = json.number("bytes");
    for (uint64_t bit : json.numbers("selectBits")) bank.selectMask |= uint64_t{1} << bit;
    bank.select = json.number("select");
    banks.push_back(bank);
  });
  file.each("arrays", [&](const JsonFile& json) {
    MetadataArray array;
    array.kind = json.text("kind");
    array.level = static_cast<unsigned>(json.number("level"));
    array.base = json.number("base");
    array.lines = json.number("lines");
    array.blocksPerLine = json.number("blocksPerLine");
    array.entryBits = static_cast<unsigned>(json.number("entryBits"));
    array.lineBytes = blockBytes;
    arrays.push_back(array);
  });
  return MetadataMap(dramBase, dramBytes, std::move(banks), std::move(arrays), blockBytes);
}

}  // namespace

SocConfig SocConfig::read(const std::string& path) {
  const JsonFile file(path);
  SocConfig config;
  config.name = file.text("config");
  config.cores = file.number("cores");
  config.dramBase = file.number("dramBase");
  config.dramBytes = file.number("dramBytes");
  config.dataBytes = file.number("dataBytes");
  config.isProtected = file.flag("protected");
  if (config.dramBytes == 0 || config.dramBytes % 64 != 0 || config.dataBytes > config.dramBytes) {
    throw UserError(path + ": dramBytes and dataBytes do not make sense: elaborate the configuration again");
  }
  if (file.has("arrays")) config.metadata = metadataOf(file, config.dramBase, config.dramBytes);
  config.hasLastLevelCache = file.has("lastLevelCache");
  if (file.has("bus")) config.bus = BusConfig::read(file.object("bus"));
  return config;
}

}  // namespace hauberk
