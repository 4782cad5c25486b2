// What a run was and what it counted, as one JSON file: the interface to the demo's and the benchmarks' reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scripted_adversary.h"
#include "alarm.h"
#include "options.h"
#include "pad_log.h"
#include "soc.h"
#include "soc_config.h"
#include "traffic.h"

namespace hauberk {

struct RunRecord {
  std::string ending;  // "finished", "halted", "max-cycles" or "interrupted"
  int exitCode = 0;
  uint64_t cycles = 0;
  uint64_t initialisationCycles = 0;  // from reset until the protector can be armed
  double wallSeconds = 0;
  double cpuSeconds = 0;
  std::vector<CoreState> cores;
  Traffic traffic;
  ProtectorCounters counters;
  CacheCounters cacheCounters;
  BusCounters busCounters;
  BusAlarm busAlarm;
  uint64_t busAlarmCycle = 0;
  PadLog pads;
  Roots roots;
  std::vector<AttackRecord> attacks;
  Alarm alarm;
  uint64_t alarmCycle = 0;
  std::vector<uint64_t> entropyWords;
  bool watched = false;
  uint64_t plaintextWrites = 0;

  /** Throws UserError when the file cannot be written. */
  void write(const Options& options, const SocConfig& soc) const;
};

}  // namespace hauberk
