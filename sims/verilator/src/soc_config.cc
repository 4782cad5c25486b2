#include "soc_config.h"

#include "json_file.h"
#include "user_error.h"

namespace hauberk {

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
  if (file.has("arrays")) config.metadata = MetadataMap(file, config.dramBase, config.dramBytes);
  if (file.has("bus")) config.bus = BusConfig::read(file.object("bus"));
  return config;
}

}  // namespace hauberk
