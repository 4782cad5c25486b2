// The shared bus between the tiles and the system bus, as far as a harness needs it.
#pragma once

#include <cstdint>
#include <string>

#include "json_file.h"

namespace hauberk {

/** What elaboration says about the shared bus. */
struct BusConfig {
  uint64_t members = 0;  // tiles' edges, and the home node
  uint64_t ratio = 1;    // cycles in a bus cycle
  uint64_t widthBits = 0;
  bool secured = false;
  bool pads = false;  // tiles encrypt for memory themselves

  /** Throws UserError when it does not make sense. */
  static BusConfig read(const JsonFile& file);
};

/** The bus's first alarm: who raised it and why, a code of hauberk.bus.BusAlarm. */
struct BusAlarm {
  bool raised = false;
  uint64_t pid = 0;
  uint64_t cause = 0;

  /** The cause as a run record names it. */
  std::string name() const;
};

}  // namespace hauberk
