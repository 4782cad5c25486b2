// One run: the SoC, its DRAM and its peripherals, cycle after cycle until something ends it.
#pragma once

#include "scripted_adversary.h"
#include "bus_adversary.h"
#include "bus_log.h"
#include "dram_model.h"
#include "entropy.h"
#include "finisher.h"
#include "options.h"
#include "progress.h"
#include "run_record.h"
#include "soc.h"
#include "uart.h"
#include "uart_input.h"

namespace hauberk {

class Simulation {
 public:
  /** Throws UserError when the package and the SoC do not fit. */
  Simulation(const Options& options, const SocConfig& config);

  /** Runs to the end and returns the exit code; writes what the options ask for. */
  int run();

 private:
  /** Forks off the branches that begin in this cycle, one after the other, and waits for each; in a branch, becomes it.
   */
  void branchOff();
  /** By value, for the options that it is one of are replaced. */
  void become(Branch branch, double cpuSeconds);
  /** One clock cycle; the value written to the finisher, if any. */
  std::optional<uint32_t> cycle();
  void finish(uint32_t value);
  void stop(const std::string& ending, int exitCode, const std::string& reason);
  void notice(const Alarm& alarm);
  void notice(const BusAlarm& alarm);
  /** The run's own files; the exit code is that of the run, or says that an attack never began. */
  int report();
  /** Scripts that were to begin after the end of the run, which says nothing about them. */
  std::vector<std::string> missedAttacks() const;

  Options options_;
  const SocConfig& config_;
  Package package_;
  DramStorage storage_;
  TrafficCounter traffic_;
  PlaintextWatch watch_;
  AddressLog addresses_;
  BusLog frames_;
  DramModel dram_;
  ScriptedAdversary adversary_;
  BusAdversary busAdversary_;
  EntropySource entropy_;
  EntropySource busEntropy_;
  EntropySource contextEntropy_;
  Uart uart_;
  UartInput uartInput_;
  Soc soc_;
  Progress progress_;
  uint64_t cycles_ = 0;
  uint64_t haltedAt_ = 0;  // cycle in which the protector halted; 0 while it serves
  RunRecord record_;
};

}  // namespace hauberk
