#include "package.h"

#include <algorithm>
#include <filesystem>

#include "json_file.h"
#include "user_error.h"

namespace hauberk {

Package Package::read(const std::string& imagePath, const std::string& headerPath, const SocConfig& soc) {
  const JsonFile header(headerPath);
  const std::string madeFor = header.text("config");
  if (madeFor != soc.name) {
    throw UserError("the package was made for " + madeFor + ", but this simulator is " + soc.name +
                    ": make the package with that configuration's JSON file");
  }
  if (header.number("dramBase") != soc.dramBase) {
    throw UserError(headerPath + ": dramBase is not where this SoC's DRAM starts: make the package again");
  }
  Package package;
  package.imagePath = imagePath;
  package.entry = header.number("entry");
  if (package.entry < soc.dramBase || package.entry - soc.dramBase >= soc.dataBytes) {
    throw UserError(headerPath + ": the entry point lies outside the data region: make the package again");
  }
  const std::string wrapped = header.textOrEmpty("wrappedKey");
  if (soc.isProtected || !wrapped.empty()) {
    const auto bytes = bytesFromHex(wrapped, 24, headerPath + ": wrappedKey");
    for (size_t i = 0; i < package.wrappedKey.size(); i++) package.wrappedKey[i] = bigEndianWord(&bytes[8 * i]);
  }
  if (soc.isProtected) package.imageBlocks = header.number("imageBlocks");
  const std::string tags = header.textOrEmpty("tags");
  if (!tags.empty()) {
    package.tagsPath = std::filesystem::path(headerPath).parent_path() / tags;
    package.tagsBase = header.number("tagsBase");
  }
  return package;
}

Key128 keyFromHex(const std::string& hex, const std::string& what) {
  const auto bytes = bytesFromHex(hex, 16, what);
  Key128 key{};
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

Key128 deviceKeyFromHex(const std::string& hex) { return keyFromHex(hex, "the device key"); }

namespace {

/** A key of the vendor's half of a package, if it is there; `what` names it in errors. */
std::optional<Key128> vendorKey(const std::string& packagePath, const std::string& name, const std::string& what) {
  const std::string path = packagePath + "/vendor.json";
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::string hex = JsonFile(path).textOrEmpty(name);
  if (hex.empty()) return std::nullopt;
  return keyFromHex(hex, what);
}

}  // namespace

std::optional<Key128> developmentDeviceKey(const std::string& packagePath) {
  return vendorKey(packagePath, "deviceKey", "the device key");
}

std::optional<Key128> developmentBusKey(const std::string& packagePath) {
  return vendorKey(packagePath, "busKey", "the bus key");
}

}  // namespace hauberk
