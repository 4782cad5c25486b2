// A line on stderr every few seconds, so that a long run is seen to be alive.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace hauberk {

class Progress {
 public:
  /** Looks at the clock only once in so many cycles: simulation is slower than this by far. */
  static constexpr uint64_t kCyclesPerLook = 1 << 14;

  Progress();
  /** Call once per kCyclesPerLook cycles; prints at most every five seconds, and not in a run's first ten. */
  void look(uint64_t cycles);
  /** For a process that was forked, and has used no CPU time yet: goes on from that of the other. */
  void continueFrom(double cpuSeconds);
  /** Time since the start. */
  double seconds() const;
  /** CPU time since the start: what `seconds` would be on a machine with nothing else to do. */
  double cpuSeconds() const;

  static double kiloHertz(uint64_t cycles, double seconds) { return seconds > 0 ? cycles / seconds / 1000 : 0; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  std::clock_t cpuStart_;
  double nextPrint_ = 10;
  double lastSeconds_ = 0;
  uint64_t lastCycles_ = 0;
};

}  // namespace hauberk
