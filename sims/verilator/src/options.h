// The command line of the simulator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attack_script.h"
#include "dram_model.h"

namespace hauberk {

/** A run of its own from the first cycle of its attacks on, which shares with the run it is taken from what was before.
 */
struct Branch {
  std::string text, name;
  std::vector<AttackScript> attacks;  // one or more

  /** The first cycle in which one of its attacks does something, if it is only to look. */
  uint64_t begins() const;

  /** From NAME=SCRIPT, or several scripts with a semicolon between them. Throws UserError with one sentence if it is
   * not. */
  static Branch parse(const std::string& text);
};

struct Options {
  std::string packagePath;
  std::string imagePath;   // the package's image.bin unless told otherwise
  std::string headerPath;  // the package's header.json unless told otherwise
  std::string configJson;
  std::string program;  // name in the run record
  std::string deviceKey;
  std::string busKey;
  std::string credentialsPath;
  std::optional<uint64_t> entropySeed;
  DramTiming dram;
  uint64_t dramNoise = 1;
  std::vector<AttackScript> attacks;
  std::vector<Branch> branches;
  uint64_t maxCycles = 0;  // 0: no limit
  std::string dumpPath;
  std::string statisticsPath;
  std::string uartLogPath;
  bool console = false;  // standard input is what the SoC receives
  std::string watchPath;
  std::string addressLogPath;
  std::string busLogPath;
  std::string wavePath;
  uint64_t waveFrom = 0;

  /** Those of a branch: with its attack, and with its name in the names of what it writes. */
  Options of(const Branch& branch) const;
};

/** The options, or the exit code when there is nothing to run (help was asked for, or the command line is wrong). */
struct ParsedOptions {
  std::optional<Options> options;
  int exitCode = 0;
};

ParsedOptions parseOptions(int argc, char** argv);

}  // namespace hauberk
