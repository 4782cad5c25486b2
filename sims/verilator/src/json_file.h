// Reading of the small JSON files of a configuration and of a package, with errors that name the file and the field.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hauberk {

class JsonFile {
 public:
  /** Throws UserError when the file is missing or not a JSON object. */
  explicit JsonFile(const std::string& path);

  /** Numbers may be written as JSON numbers or as strings such as "0x80000000". */
  uint64_t number(const std::string& field) const;
  std::string text(const std::string& field) const;
  /** The field's text, or an empty one when it is missing or null. */
  std::string textOrEmpty(const std::string& field) const;
  bool flag(const std::string& field) const;
  bool has(const std::string& field) const { return json_.contains(field); }
  /** The object of that name. */
  JsonFile object(const std::string& field) const;
  std::vector<uint64_t> numbers(const std::string& field) const;
  /** Visits the objects of a list. */
  void each(const std::string& field, const std::function<void(const JsonFile&)>& visit) const;

 private:
  JsonFile(const std::string& path, const nlohmann::json& part);
  const nlohmann::json& at(const std::string& field) const;
  [[noreturn]] void refuse(const std::string& field, const std::string& expected) const;

  std::string path_;
  nlohmann::json json_;
};

/** `bytes` bytes from 2 * `bytes` hexadecimal digits, most significant first. `what` names them in the error. */
std::vector<uint8_t> bytesFromHex(const std::string& hex, size_t bytes, const std::string& what);

/** Eight bytes, the first of which becomes the most significant. */
uint64_t bigEndianWord(const uint8_t* bytes);

}  // namespace hauberk
