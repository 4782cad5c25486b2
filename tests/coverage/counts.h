// Writes a simulator's coverage counts: those of the reset, which takes two cycles in every test, and those from then
// on.
#pragma once
#include "verilated_cov.h"
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace hauberk {
constexpr uint64_t kResetEnds = 4;  // half cycles

inline void writeCounts(VerilatedContext &context, const std::string &name) {
  context.coveragep()->write(
      (std::string(getenv("HAUBERK_MUTATION")) + "/simulators/" COUNTED_SOURCES "/" + name + ".dat").c_str());
}

inline void countFromReset(VerilatedContext &context) {
  if (context.time() == kResetEnds) {
    writeCounts(context, "reset");
    context.coveragep()->zero();
  }
}

inline void writeAll(VerilatedContext &context) { writeCounts(context, std::to_string(getpid())); }
}  // namespace hauberk
