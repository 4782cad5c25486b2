#include "simulation.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>

#include "exit_codes.h"
#include "output_file.h"
#include "user_error.h"

namespace hauberk {

namespace {

// A halted protector serves nobody: a program that is going to end, from its caches, has ended by then.
constexpr uint64_t kCyclesAfterHalt = 100000;

volatile std::sig_atomic_t interrupted = 0;

void onSignal(int) { interrupted = 1; }

std::optional<Key128> deviceKey(const Options& options) {
  if (!options.deviceKey.empty()) return deviceKeyFromHex(options.deviceKey);
  return developmentDeviceKey(options.packagePath);
}

Key128 randomKey(EntropySource& entropy) {
  Key128 key{};
  for (size_t i = 0; i < key.size(); i++) {
    key[i] = static_cast<uint8_t>(entropy.word() >> (56 - 8 * (i % 8)));
    if (i % 8 == 7) entropy.taken();
  }
  return key;
}

/** Random keys, unless options or package say what the first group's is, and tiles that encrypt for memory have the
 * device key in their fuses.
 */
BusFuses busFuses(const Options& options, const SocConfig& config, EntropySource& entropy) {
  BusFuses fuses;
  const auto brought = developmentBusKey(options.packagePath);
  if (brought && !options.busKey.empty()) {
    throw UserError("the package brings the key of the bus, for its memory depends on that: leave --bus-key out");
  }
  fuses.groupKey = brought                  ? *brought
                   : options.busKey.empty() ? randomKey(entropy)
                                            : keyFromHex(options.busKey, "the bus key");
  const auto device = config.bus && config.bus->pads ? deviceKey(options) : std::nullopt;
  for (Key128& key : fuses.deviceKeys) key = device ? *device : randomKey(entropy);
  return fuses;
}

/** What is left of a timing, as the SoC sees it, behind the registers at its memory port. */
DramTiming behindThePort(DramTiming timing) {
  timing.latency -= kMemoryPortCycles;
  return timing;
}

}  // namespace

Simulation::Simulation(const Options& options, const SocConfig& config)
    : options_(options),
      config_(config),
      package_(Package::read(options.imagePath, options.headerPath, config)),
      storage_(config.dramBase, config.dramBytes, options.dramNoise),
      traffic_(config.dramBase + config.dataBytes),
      watch_(options.watchPath.empty() ? PlaintextWatch() : PlaintextWatch(options.watchPath, config.dramBase)),
      addresses_(options.addressLogPath),
      frames_(options.busLogPath),
      dram_(storage_, traffic_, watch_, behindThePort(options.dram)),
      adversary_(options.attacks, config.metadata, storage_),
      busAdversary_(options.attacks, config.bus),
      entropy_(options.entropySeed),
      busEntropy_(EntropySource::another(options.entropySeed, 1)),
      contextEntropy_(EntropySource::another(options.entropySeed, 2)),
      uart_(options.uartLogPath, options.console),
      uartInput_(options.console ? STDIN_FILENO : -1),
      soc_(package_, deviceKey(options), busFuses(options, config, busEntropy_),
           Credentials::read(options.credentialsPath)) {
  for (const std::string& path : {options.statisticsPath, options.dumpPath, options.wavePath}) tryOutput(path);
  for (const Branch& branch : options.branches) {
    const Options own = options.of(branch);
    for (const std::string& path : {own.uartLogPath, own.statisticsPath, own.dumpPath, own.addressLogPath})
      tryOutput(path);
  }
  storage_.load(package_.imagePath, config.dramBase);
  if (!package_.tagsPath.empty()) storage_.load(package_.tagsPath, package_.tagsBase);
  if (!adversary_.log().empty()) dram_.interpose(adversary_);
  if (addresses_.active()) dram_.log(addresses_);
  // A branch that cannot be is said so now, not when it begins
  ScriptedAdversary untried({}, config.metadata, storage_);
  for (const Branch& branch : options_.branches) {
    for (const AttackScript& attack : branch.attacks) untried.add(attack);
  }
}

void Simulation::branchOff() {
  for (const Branch& branch : options_.branches) {
    if (branch.begins() != cycles_) continue;
    uart_.flush();
    addresses_.flush();
    const double cpuSeconds = progress_.cpuSeconds();
    const pid_t child = fork();
    if (child == 0) return become(branch, cpuSeconds);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (child < 0 || !WIFEXITED(status)) throw UserError("the branch " + branch.name + " did not run to its end");
    std::fprintf(stderr, "simulator: the branch %s ended with exit code %d\n", branch.name.c_str(),
                 WEXITSTATUS(status));
  }
}

void Simulation::become(Branch branch, double cpuSeconds) {
  std::fprintf(stderr, "simulator: the branch %s begins in cycle %" PRIu64 "\n", branch.name.c_str(), cycles_);
  options_ = options_.of(branch);
  progress_.continueFrom(cpuSeconds);
  uart_.moveLog(options_.uartLogPath);
  addresses_.moveTo(options_.addressLogPath);
  for (const AttackScript& attack : branch.attacks) adversary_.add(attack);
  dram_.interpose(adversary_);
}

std::optional<uint32_t> Simulation::cycle() {
  adversary_.begin(cycles_);
  SocInputs inputs;
  inputs.memory = dram_.pins();
  inputs.entropyValid = true;
  inputs.entropy = entropy_.word();
  inputs.busEntropyValid = true;
  inputs.busEntropy = busEntropy_.word();
  inputs.contextEntropy = contextEntropy_.word();
  inputs.uart = uartInput_.offered();
  const SocOutputs outputs = soc_.settle(inputs);
  if (frames_.active()) {
    const BusView view = soc_.busView();
    if (view.taken) frames_.note(cycles_, view.beat);
  }
  BusTaps taps;
  const bool tampered = busAdversary_.active() && busAdversary_.tamper(cycles_, soc_.busView(), taps);
  if (tampered) soc_.tamper(taps);
  soc_.clock();
  if (tampered) soc_.tamper(BusTaps());
  if (!outputs.initialised) record_.initialisationCycles = cycles_ + 1;
  dram_.clock(outputs.memory);
  if (outputs.entropyReady) entropy_.taken();
  if (outputs.busEntropyReady) busEntropy_.taken();
  if (outputs.contextEntropyReady) contextEntropy_.taken();
  if (inputs.uart && outputs.uartReady) uartInput_.taken();
  if (outputs.uart) uart_.put(*outputs.uart);
  if (outputs.alarm.raised) notice(outputs.alarm);
  if (outputs.busAlarm.raised) notice(outputs.busAlarm);
  if (outputs.busShare) record_.pads.note(*outputs.busShare);
  if (outputs.padAnnouncement) record_.pads.note(*outputs.padAnnouncement);
  cycles_++;
  return outputs.finish;
}

void Simulation::notice(const Alarm& alarm) {
  if (!record_.alarm.raised) {
    record_.alarmCycle = cycles_;
    std::fprintf(stderr, "simulator: the protector raised its alarm in cycle %" PRIu64 ": %s at 0x%" PRIx64 "\n",
                 cycles_, alarm.name().c_str(), alarm.address);
  }
  if (alarm.halted && haltedAt_ == 0) haltedAt_ = cycles_;
  record_.alarm = alarm;
}

void Simulation::notice(const BusAlarm& alarm) {
  record_.busAlarm = alarm;
  record_.busAlarmCycle = cycles_;
  stop("halted", kExitHalted,
       "the bus raised its alarm in cycle " + std::to_string(cycles_) + ": " + alarm.name() + ", found by member " +
           std::to_string(alarm.pid) + (alarm.pid == 0 ? " (the home node)" : "") + "; nothing passes any more");
}

void Simulation::finish(uint32_t value) {
  const Finish finish = decodeFinish(value);
  stop("finished", finish.exitCode, finish.explanation);
}

void Simulation::stop(const std::string& ending, int exitCode, const std::string& reason) {
  record_.ending = ending;
  record_.exitCode = exitCode;
  if (!reason.empty()) std::fprintf(stderr, "simulator: %s\n", reason.c_str());
}

int Simulation::run() {
  std::signal(SIGINT, onSignal);
  std::signal(SIGTERM, onSignal);
  if (!options_.wavePath.empty() && options_.waveFrom == 0) soc_.openWaves(options_.wavePath);
  soc_.reset();
  while (record_.ending.empty()) {
    if (!options_.wavePath.empty() && options_.waveFrom != 0 && cycles_ == options_.waveFrom) {
      soc_.openWaves(options_.wavePath);
    }
    branchOff();
    const auto finished = cycle();
    if (!record_.ending.empty()) {
      break;
    } else if (finished) {
      finish(*finished);
    } else if (cycles_ == options_.maxCycles) {
      stop("max-cycles", kExitMaxCycles, "stopped at --max-cycles " + std::to_string(cycles_));
    } else if (haltedAt_ != 0 && cycles_ == haltedAt_ + kCyclesAfterHalt) {
      stop("halted", kExitHalted, "stopped because the protector has halted");
    } else if (cycles_ % Progress::kCyclesPerLook == 0) {
      progress_.look(cycles_);
      if (interrupted) stop("interrupted", kExitInterrupted, "stopped by a signal");
    }
  }
  return report();
}

std::vector<std::string> Simulation::missedAttacks() const {
  std::vector<std::string> missed;
  // What ends early by itself may leave out the rest; --max-cycles and a signal are the user's own choice
  if (record_.ending != "finished") return missed;
  for (const AttackScript& attack : options_.attacks) {
    if (!attack.onBus() && attack.at >= cycles_) missed.push_back(attack.text);
  }
  for (const AttackRecord& attack : busAdversary_.log()) {
    if (!attack.struck) missed.push_back(attack.script);
  }
  for (const Branch& branch : options_.branches) {
    if (branch.begins() >= cycles_) missed.push_back(branch.text);
  }
  return missed;
}

int Simulation::report() {
  record_.cycles = cycles_;
  record_.wallSeconds = progress_.seconds();
  record_.cpuSeconds = progress_.cpuSeconds();
  std::fflush(stdout);
  for (uint64_t i = 0; i < config_.cores; i++) {
    record_.cores.push_back(soc_.core(static_cast<int>(i)));
    if (record_.ending == "finished") continue;
    std::fprintf(stderr,
                 "simulator: core %" PRIu64 " is at pc 0x%016" PRIx64 " and has retired %" PRIu64 " instructions\n", i,
                 record_.cores.back().pc, record_.cores.back().retired);
  }
  std::fprintf(stderr, "simulator: %" PRIu64 " cycles in %.1f s, %.0f kHz (%.0f kHz of CPU time), exit code %d\n",
               cycles_, record_.wallSeconds, Progress::kiloHertz(cycles_, record_.wallSeconds),
               Progress::kiloHertz(cycles_, record_.cpuSeconds), record_.exitCode);
  const std::vector<std::string> missed = missedAttacks();
  for (const std::string& script : missed) {
    std::fprintf(stderr,
                 "simulator: the attack %s never began, for the run ended in cycle %" PRIu64
                 ": choose an earlier cycle or transfer\n",
                 script.c_str(), cycles_);
  }
  record_.traffic = traffic_.total();
  record_.counters = soc_.counters();
  record_.cacheCounters = soc_.cacheCounters();
  record_.busCounters = soc_.busCounters();
  record_.attacks = adversary_.log();
  record_.attacks.insert(record_.attacks.end(), busAdversary_.log().begin(), busAdversary_.log().end());
  record_.roots = soc_.roots();
  record_.entropyWords = entropy_.used();
  record_.watched = watch_.active();
  record_.plaintextWrites = watch_.count();
  // The record first: it is small, and says what became of a run whose dump does not fit the disk
  if (!options_.statisticsPath.empty()) record_.write(options_, config_);
  if (!options_.dumpPath.empty()) storage_.dump(options_.dumpPath);
  uart_.close();
  addresses_.close();
  frames_.close();
  return missed.empty() ? record_.exitCode : kExitNoAttack;
}

}  // namespace hauberk
