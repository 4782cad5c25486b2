#include "json_file.h"

#include <fstream>

#include "user_error.h"

namespace hauberk {

JsonFile::JsonFile(const std::string& path) : path_(path) {
  std::ifstream file(path);
  if (!file) throw UserError("cannot read " + path);
  json_ = nlohmann::json::parse(file, nullptr, false);
  if (!json_.is_object()) throw UserError(path + " is not a JSON object: make it again");
}

JsonFile::JsonFile(const std::string& path, const nlohmann::json& part) : path_(path), json_(part) {}

void JsonFile::refuse(const std::string& field, const std::string& expected) const {
  throw UserError(path_ + ": field \"" + field + "\" must be " + expected + ": make the file again");
}

const nlohmann::json& JsonFile::at(const std::string& field) const {
  const auto found = json_.find(field);
  if (found == json_.end()) refuse(field, "there");
  return *found;
}

uint64_t JsonFile::number(const std::string& field) const {
  const nlohmann::json& value = at(field);
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (value.is_string()) {
    const std::string& digits = value.get_ref<const std::string&>();
    try {
      size_t used = 0;
      const uint64_t number = std::stoull(digits, &used, 0);
      if (used == digits.size() && digits[0] != '-') return number;
    } catch (const std::logic_error&) {
    }
  }
  refuse(field, "a number, decimal or with 0x");
}

std::string JsonFile::text(const std::string& field) const {
  const nlohmann::json& value = at(field);
  if (!value.is_string()) refuse(field, "a string");
  return value.get<std::string>();
}

std::string JsonFile::textOrEmpty(const std::string& field) const {
  const auto found = json_.find(field);
  return found == json_.end() || found->is_null() ? std::string() : text(field);
}

JsonFile JsonFile::object(const std::string& field) const {
  const auto& part = at(field);
  if (!part.is_object()) refuse(field, "an object");
  return JsonFile(path_, part);
}

bool JsonFile::flag(const std::string& field) const {
  const nlohmann::json& value = at(field);
  if (!value.is_boolean()) refuse(field, "true or false");
  return value.get<bool>();
}

std::vector<uint64_t> JsonFile::numbers(const std::string& field) const {
  std::vector<uint64_t> numbers;
  for (const nlohmann::json& value : at(field)) {
    if (!value.is_number_unsigned()) refuse(field, "a list of numbers");
    numbers.push_back(value.get<uint64_t>());
  }
  return numbers;
}

void JsonFile::each(const std::string& field, const std::function<void(const JsonFile&)>& visit) const {
  for (const nlohmann::json& part : at(field)) {
    if (!part.is_object()) refuse(field, "a list of objects");
    visit(JsonFile(path_ + ", " + field, part));
  }
}

std::vector<uint8_t> bytesFromHex(const std::string& hex, size_t bytes, const std::string& what) {
  if (hex.size() != 2 * bytes || hex.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
    throw UserError(what + " must be " + std::to_string(2 * bytes) + " hexadecimal digits, not \"" + hex + "\"");
  }
  std::vector<uint8_t> result;
  for (size_t i = 0; i < bytes; i++) result.push_back(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
  return result;
}

uint64_t bigEndianWord(const uint8_t* bytes) {
  uint64_t word = 0;
  for (int i = 0; i < 8; i++) word = word << 8 | bytes[i];
  return word;
}

}  // namespace hauberk
