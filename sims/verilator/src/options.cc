#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#include "exit_codes.h"
#include "user_error.h"

namespace hauberk {

namespace {

/** An option that may be given several times, each time with a text that T parses. */
template <class T>
void addRepeated(CLI::App& app, const std::string& name, std::vector<T>& into, const std::string& description) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [&into](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) into.push_back(T::parse(text));
         },
         description)
      ->allow_extra_args(false);
}

void describe(CLI::App& app, Options& options) {
  const auto sensible = CLI::Range(uint64_t{1}, uint64_t{1000000});
  app.add_option("package", options.packagePath, "Program package: a folder made by hauberk-image pack")
      ->check(CLI::ExistingDirectory);
  app.add_option("--image", options.imagePath, "DRAM image to load instead of the package's image.bin");
  app.add_option("--header", options.headerPath, "Boot header to use instead of the package's header.json");
  app.add_option("--config-json", options.configJson, "<CONFIG>.json of this simulator's SoC")->required();
  app.add_option("--program", options.program, "Name of the program in the run record (default: the package's name)");
  app.add_option("--device-key", options.deviceKey,
                 "128-bit device key in the fuses, 32 hexadecimal digits (default: the package's development key)");
  app.add_option("--bus-key", options.busKey,
                 "128-bit key of the bus's first group in its fuses, 32 hexadecimal digits (default: random)");
  app.add_option(
      "--credentials", options.credentialsPath,
      "Secrets in the processor's fuses and the user's token (JSON, docs/formats.md), for instruction decryption "
      "and secure contexts (default: none)");
  app.add_option("--entropy-seed", options.entropySeed,
                 "Repeatable entropy for the SoC (default: the host's random numbers)");

  app.add_option("--dram-latency", options.dram.latency,
                 "Cycles from a request to its first beat, two of them in registers at the SoC's memory port")
      ->capture_default_str()
      ->check(CLI::Range(kMemoryPortCycles + 1, uint64_t{1000000}));
  app.add_option("--dram-beat", options.dram.cyclesPerBeat, "Cycles each beat holds the data bus")
      ->capture_default_str()
      ->check(sensible);
  app.add_option("--dram-bus", options.dram.busBytes,
                 "Bytes of the data bus; a transfer of 8 bytes takes 8 / BYTES of its beats")
      ->capture_default_str();
  app.add_option("--dram-outstanding", options.dram.outstanding, "Reads in flight, and writes in flight, at most")
      ->capture_default_str()
      ->check(sensible);
  app.add_option("--dram-write-queue", options.dram.writeQueue,
                 "Writes that the memory controller holds until the data bus is free of reads; 0 for none")
      ->capture_default_str();
  app.add_option("--dram-reorder", options.dram.reorder,
                 "Seed of the order in which reads of different identifiers are answered; 0 for that of their requests")
      ->capture_default_str();
  app.add_option(
         "--dram-jitter", options.dram.jitter,
         "Seed of 0 to 3 cycles by which each read takes longer, to repeat a run with small differences; 0 for none")
      ->capture_default_str();
  app.add_option("--dram-noise", options.dramNoise, "Seed of what DRAM holds before loading; 0 for zeros")
      ->capture_default_str();

  addRepeated(app, "--attack", options.attacks,
              "Attack the DRAM or the bus: KIND:FIELD=VALUE,... (docs/attack.md); may be given several times");
  addRepeated(
      app, "--branch", options.branches,
      "NAME=ATTACK[;ATTACK...]: carry out these attacks on the DRAM in a run of its own, which begins where the "
      "first does and writes its files as FILE-NAME; may be given several times");
  app.add_option("--max-cycles", options.maxCycles, "Stop after so many cycles and say where every core was");
  app.add_option("--dump", options.dumpPath, "Write the DRAM to this file at the end");
  app.add_option("--stats", options.statisticsPath, "Write the run record (JSON) to this file");
  app.add_option("--uart-log", options.uartLogPath, "Copy the serial output to this file");
  app.add_flag("--console", options.console, "Type to the serial console: standard input is what the SoC receives")
      ->excludes("--branch");
  app.add_option("--watch", options.watchPath,
                 "Plaintext (raw, from the start of DRAM): count the words of it that are ever written to DRAM");
  app.add_option(
      "--address-log", options.addressLogPath,
      "Write a line for each request to the DRAM into this file: cycle, read or write, address, bytes, identifier");
  app.add_option(
         "--bus-log", options.busLogPath,
         "Write a line for each frame on the shared bus into this file: cycle, kind, group, source, destination, "
         "channel, whether it has data, whether it is the last of its message, command, data")
      ->excludes("--branch");
  app.add_option("--wave", options.wavePath,
                 "Write waves (FST) to this file; needs the simulator that `make debug` builds")
      ->excludes("--branch");
  app.add_option("--wave-from", options.waveFrom, "First cycle to put into the waves");
}

/** Fills in what follows from other options. */
void complete(Options& options) {
  if (options.packagePath.empty() && (options.imagePath.empty() || options.headerPath.empty())) {
    throw CLI::ValidationError("name a program package, or both --image and --header");
  }
  std::set<std::string> names;
  for (const Branch& branch : options.branches) {
    if (!names.insert(branch.name).second) throw UserError("--branch: two have the name " + branch.name);
  }
  const std::filesystem::path package(options.packagePath);
  if (options.imagePath.empty()) options.imagePath = package / "image.bin";
  if (options.headerPath.empty()) options.headerPath = package / "header.json";
  if (options.program.empty()) {
    const std::filesystem::path named(options.packagePath.empty() ? options.imagePath : options.packagePath);
    options.program = (named.has_filename() ? named : named.parent_path()).stem();
  }
}

/** run.json becomes run-NAME.json; no file stays none. */
std::string named(const std::string& path, const std::string& name) {
  if (path.empty()) return path;
  const std::filesystem::path whole(path);
  return whole.parent_path() / (whole.stem().string() + "-" + name + whole.extension().string());
}

}  // namespace

Branch Branch::parse(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  // The script has equals signs, too, but behind its colon
  if (equals == std::string::npos || name.empty() || name.find_first_of(":/") != std::string::npos) {
    throw UserError("--branch " + text + ": write NAME=KIND:FIELD=VALUE,..., with a name that can be part of a file's");
  }
  Branch branch = {text, name, {}};
  std::istringstream scripts(text.substr(equals + 1));
  for (std::string script; std::getline(scripts, script, ';');) {
    branch.attacks.push_back(AttackScript::parse(script));
    if (branch.attacks.back().onBus()) {
      throw UserError("--branch " + text + ": an attack on the bus has no cycle to begin at; use --attack");
    }
  }
  if (branch.attacks.empty()) throw UserError("--branch " + text + ": there is no attack behind the name");
  return branch;
}

uint64_t Branch::begins() const {
  uint64_t first = kForEver;
  for (const AttackScript& attack : attacks) first = std::min(first, attack.begins());
  return first;
}

Options Options::of(const Branch& branch) const {
  Options own = *this;
  own.branches.clear();
  own.attacks.insert(own.attacks.end(), branch.attacks.begin(), branch.attacks.end());
  for (std::string* path : {&own.uartLogPath, &own.statisticsPath, &own.dumpPath, &own.addressLogPath})
    *path = named(*path, branch.name);
  return own;
}

ParsedOptions parseOptions(int argc, char** argv) {
  CLI::App app("Runs a program package on a Hauberk SoC. The exit code is the program's own.");
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
    complete(options);
  } catch (const CLI::ParseError& error) {
    const bool wrong = app.exit(error) != 0;
    return {std::nullopt, wrong ? kExitBadInput : 0};
  } catch (const UserError& error) {
    std::fprintf(stderr, "simulator: %s\n", error.what());
    return {std::nullopt, kExitBadInput};
  }
  return {options, 0};
}

}  // namespace hauberk
