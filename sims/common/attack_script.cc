#include "attack_script.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "user_error.h"

namespace hauberk {

namespace {

struct Grammar {
  AttackKind kind;
  std::set<std::string> needed;
  std::set<std::string> possible;
};

const std::map<std::string, Grammar>& grammars() {
  static const std::map<std::string, Grammar> kGrammars = {
      {"flip", {AttackKind::Flip, {"addr", "at", "bit"}, {}}},
      {"xor", {AttackKind::Xor, {"addr", "at", "mask"}, {}}},
      {"random", {AttackKind::Random, {"addr", "at"}, {"bytes", "seed"}}},
      {"splice", {AttackKind::Splice, {"addr", "with", "at"}, {"bytes"}}},
      {"replay", {AttackKind::Replay, {"addr", "at"}, {"from", "bytes", "what"}}},
      {"drop", {AttackKind::Drop, {"addr", "at"}, {"until", "bytes"}}},
      {"alias", {AttackKind::Alias, {"addr", "with", "at"}, {"until", "bytes"}}},
      {"delay", {AttackKind::Delay, {"addr", "at", "cycles"}, {"until", "bytes"}}},
      {"hold", {AttackKind::Hold, {"addr", "at"}, {"until", "for", "bytes", "what"}}},
      {"bus-flip", {AttackKind::BusFlip, {"transfer", "bit"}, {"to"}}},
      {"bus-drop", {AttackKind::BusDrop, {"transfer"}, {"to"}}},
      {"bus-replay", {AttackKind::BusReplay, {"transfer", "from"}, {"to"}}},
      {"bus-spoof", {AttackKind::BusSpoof, {"transfer", "pid"}, {}}},
  };
  return kGrammars;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

template <class Names>
std::string listed(const Names& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

[[noreturn]] void refuse(const std::string& text, const std::string& complaint) {
  throw UserError("attack " + text + ": " + complaint);
}

uint64_t number(const std::string& text, const std::string& field, const std::string& value) {
  try {
    size_t used = 0;
    if (!value.empty() && value[0] != '-') {
      const uint64_t result = std::stoull(value, &used, 0);
      if (used == value.size()) return result;
    }
  } catch (const std::logic_error&) {
  }
  refuse(text, "the field " + field + " must be a number such as 4096 or 0x1000, not \"" + value + "\"");
}

/** A level of a tree: node0, node1, ... */
bool isLevel(const std::string& part) {
  return part.size() == 5 && part.compare(0, 4, "node") == 0 && part[4] >= '0' && part[4] <= '9';
}

std::vector<std::string> partsOf(const std::string& text, const std::string& value) {
  static const std::vector<std::string> kParts = {"data", "tag", "counter", "path", "image", "node0"};
  const std::vector<std::string> parts = split(value, '+');
  for (const std::string& part : parts) {
    if (std::find(kParts.begin(), kParts.end(), part) == kParts.end() && !isLevel(part)) {
      refuse(text, "the field what names \"" + part + "\"; it may name " + listed(kParts) + ", joined by +");
    }
  }
  if (parts.empty()) refuse(text, "the field what is empty");
  return parts;
}

std::vector<uint8_t> maskOf(const std::string& text, const std::string& value) {
  const bool digits = value.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (value.empty() || value.size() % 2 != 0 || !digits) {
    refuse(text, "the field mask must be whole bytes in hexadecimal such as 00ff, not \"" + value + "\"");
  }
  std::vector<uint8_t> mask;
  for (size_t i = 0; i < value.size(); i += 2) {
    mask.push_back(static_cast<uint8_t>(std::stoul(value.substr(i, 2), nullptr, 16)));
  }
  return mask;
}

void set(AttackScript& script, const std::string& field, const std::string& value) {
  if (field == "what") {
    script.what = partsOf(script.text, value);
    return;
  }
  if (field == "mask") {
    script.mask = maskOf(script.text, value);
    script.bytes = script.mask.size();
    return;
  }
  const std::map<std::string, uint64_t*> fields = {
      {"addr", &script.address}, {"with", &script.with},   {"from", &script.from},     {"at", &script.at},
      {"until", &script.until},  {"bytes", &script.bytes}, {"cycles", &script.cycles}, {"for", &script.cycles},
      {"bit", &script.bit},      {"seed", &script.seed},   {"pid", &script.pid},       {"transfer", &script.transfer}};
  if (field == "to") {
    script.member = number(script.text, field, value);
    return;
  }
  *fields.at(field) = number(script.text, field, value);
}

void checkSense(const AttackScript& script) {
  if (script.onBus()) {
    if (script.kind == AttackKind::BusReplay && script.from > script.transfer) {
      refuse(script.text, "the field from must not be a later transfer than transfer");
    }
    return;
  }
  if (script.bytes == 0) refuse(script.text, "the field bytes is 0, so nothing would be attacked");
  if (script.until <= script.at) refuse(script.text, "the field until must be a later cycle than at");
  if (script.kind == AttackKind::Hold && script.cycles == 0) {
    refuse(script.text, "the field for is 0, so nothing would be held");
  }
  if (script.kind == AttackKind::Hold && script.replays("image")) {
    refuse(script.text, "the field what names the image, without which no program runs; name parts of it");
  }
  if (script.kind == AttackKind::Replay && script.from >= script.at) {
    refuse(script.text, "the field from must be an earlier cycle than at");
  }
  if (script.kind == AttackKind::Alias && (script.address - script.with) % 64 != 0) {
    refuse(script.text, "the field with must differ from addr by a multiple of 64 bytes");
  }
}

}  // namespace

bool AttackScript::replays(const std::string& part) const {
  return std::find(what.begin(), what.end(), part) != what.end();
}

AttackScript AttackScript::parse(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const auto grammar = grammars().find(kind);
  if (grammar == grammars().end()) {
    std::vector<std::string> kinds;
    for (const auto& entry : grammars()) kinds.push_back(entry.first);
    refuse(text, "there is no attack \"" + kind + "\"; there are " + listed(kinds));
  }
  const auto& [which, needed, possible] = grammar->second;
  AttackScript script;
  script.text = text;
  script.kind = which;
  std::set<std::string> given;
  for (const std::string& part : split(colon == std::string::npos ? "" : text.substr(colon + 1), ',')) {
    const size_t equals = part.find('=');
    const std::string field = part.substr(0, equals);
    if (needed.count(field) + possible.count(field) == 0) {
      std::set<std::string> all(needed);
      all.insert(possible.begin(), possible.end());
      refuse(text, "the attack " + kind + " has no field \"" + field + "\"; it has " + listed(all));
    }
    if (!given.insert(field).second) refuse(text, "the field " + field + " is given twice");
    if (equals == std::string::npos) refuse(text, "the field " + field + " has no value: write " + field + "=...");
    set(script, field, part.substr(equals + 1));
  }
  for (const std::string& field : needed) {
    if (given.count(field) == 0) refuse(text, "the field " + field + " is missing");
  }
  checkSense(script);
  return script;
}

}  // namespace hauberk
