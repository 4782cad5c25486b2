// The simulator of one Hauberk SoC. See options.cc for its command line and exit_codes.h for its own exit codes.

#include <cstdio>

#include "exit_codes.h"
#include "options.h"
#include "simulation.h"
#include "soc_config.h"
#include "user_error.h"

int main(int argc, char** argv) {
  using namespace hauberk;
  const ParsedOptions parsed = parseOptions(argc, argv);
  if (!parsed.options) return parsed.exitCode;
  try {
    const SocConfig config = SocConfig::read(parsed.options->configJson);
    return Simulation(*parsed.options, config).run();
  } catch (const UserError& error) {
    std::fprintf(stderr, "simulator: %s\n", error.what());
    return kExitBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulator: %s\n", error.what());
    return kExitProtocol;
  }
}
