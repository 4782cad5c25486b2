#include "progress.h"

#include <cstdio>

namespace hauberk {

namespace {
constexpr double kInterval = 5;
}

Progress::Progress() : start_(Clock::now()), cpuStart_(std::clock()) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double Progress::cpuSeconds() const { return static_cast<double>(std::clock() - cpuStart_) / CLOCKS_PER_SEC; }

void Progress::continueFrom(double cpuSeconds) {
  cpuStart_ = std::clock() - static_cast<std::clock_t>(cpuSeconds * CLOCKS_PER_SEC);
}

void Progress::look(uint64_t cycles) {
  const double now = seconds();
  if (now < nextPrint_) return;
  std::fprintf(stderr, "simulator: %.2f M cycles, %.0f s, %.0f kHz\n", cycles / 1e6, now,
               kiloHertz(cycles - lastCycles_, now - lastSeconds_));
  nextPrint_ = now + kInterval;
  lastSeconds_ = now;
  lastCycles_ = cycles;
}

}  // namespace hauberk
