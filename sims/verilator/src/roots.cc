#include "roots.h"

#include <verilated.h>
#include <verilated_syms.h>

#include <cstdint>
#include <cstdio>

namespace hauberk {

namespace {

constexpr const char* kModules[] = {"RootTable",    "HashRoot",    "LogAccumulators",
                                    "TouchedLines", "NumberTable", "RekeySweep"};

/** A scope's name from the instance of a root on; nothing if it is in none. */
std::string withinRoot(const std::string& scope) {
  for (const char* module : kModules) {
    const size_t found = scope.find(std::string(".") + module);
    if (found != std::string::npos) return scope.substr(found + 1);
  }
  return {};
}

/** A little-endian number. */
std::string hex(const uint8_t* bytes, size_t size) {
  std::string text = "0x";
  for (size_t i = size; i-- > 0;) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

std::vector<std::string> words(const VerilatedVar& variable) {
  const size_t size = variable.entSize();
  const uint8_t* bytes = static_cast<const uint8_t*>(variable.datap());
  std::vector<std::string> words;
  for (size_t at = 0; at < variable.totalSize(); at += size) words.push_back(hex(bytes + at, size));
  return words;
}

}  // namespace

Roots readRoots(const VerilatedContext& context) {
  Roots roots;
  const VerilatedScopeNameMap* scopes = const_cast<VerilatedContext&>(context).scopeNameMap();
  if (!scopes) return roots;
  // In the order of names, which is that of engines
  for (const auto& [name, scope] : *scopes) {
    const std::string place = withinRoot(name);
    if (place.empty() || !scope->varsp()) continue;
    for (const auto& [variable, value] : *scope->varsp()) roots[place + "." + variable].push_back(words(value));
  }
  return roots;
}

}  // namespace hauberk
