#include "progress.h"

#include <cstdio>

namespace hauberk {

namespace {
constexpr double kInterval = 5;
}

Progress::Progress() : start_(Clock::now()) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::look(uint64_t cycles) {
  const double now = seconds();
  if (now < lastPrint_ + kInterval) return;
  std::fprintf(stderr, "simulator: %.2f M cycles, %.0f s, %.0f kHz\n", cycles / 1e6, now,
               kiloHertz(cycles - lastCycles_, now - lastPrint_));
  lastPrint_ = now;
  lastCycles_ = cycles;
}

}  // namespace hauberk
