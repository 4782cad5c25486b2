// Exit codes of the simulator that are not the program's own.
#pragma once

namespace hauberk {

constexpr int kExitBadInput = 2;       // an option, a file or a package is wrong
constexpr int kExitProtocol = 3;       // the SoC broke a rule of its pins
constexpr int kExitNoAttack = 4;       // the run ended before an attack began
constexpr int kExitMaxCycles = 124;    // --max-cycles was reached, as timeout(1) would say
constexpr int kExitReset = 125;        // the finisher was asked for something this simulator does not do
constexpr int kExitHalted = 126;       // the protector halted, and the program did not end by itself
constexpr int kExitInterrupted = 130;  // stopped by a signal

}  // namespace hauberk
