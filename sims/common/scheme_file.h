// The description of what is attacked, scheme.json beside its Verilog.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace hauberk {

/** Reads a description by means of `fill`; throws std::runtime_error that names the field that is wrong.
 *
 * @param emits what is emitted with the description, for the message: "engines"
 */
template <typename Scheme>
Scheme readScheme(const std::string& path, const std::string& emits, void (*fill)(const nlohmann::json&, Scheme&)) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path + ": emit the " + emits + " first");
  try {
    Scheme scheme;
    fill(nlohmann::json::parse(file), scheme);
    return scheme;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace hauberk
