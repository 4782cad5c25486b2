// Carries out attack scripts on the shared bus of a SoC. Transfers are beats with data, counted from 0 in the order in
// which the shared bus takes them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "scripted_adversary.h"
#include "attack_script.h"
#include "bus.h"
#include "shared_bus.h"

namespace hauberk {

class BusAdversary {
 public:
  /** Throws UserError for a script that does not fit the shared bus, or if there is none. */
  BusAdversary(const std::vector<AttackScript>& scripts, const std::optional<BusConfig>& bus);

  /** Whether there is anything to do at all. */
  bool active() const { return !scripts_.empty(); }

  /** What is done to the wires in cycle `now`; nothing but at the end of a bus cycle. Whether anything is. */
  bool tamper(uint64_t now, const BusView& view, BusTaps& taps);
  const std::vector<AttackRecord>& log() const { return log_; }

 private:
  void check(const AttackScript& script) const;
  bool strikes(const AttackScript& script, const BusView& view, BusTaps& taps);
  /** Who receives what a script does to a beat of this source. */
  bool meets(const AttackScript& script, unsigned source, unsigned member) const;

  std::vector<AttackScript> scripts_;
  std::vector<AttackRecord> log_;
  std::map<uint64_t, BusBeat> recorded_;  // transfers to be played again, by number
  uint64_t members_ = 0;
  uint64_t widthBits_ = 0;
  uint64_t transfers_ = 0;  // that have passed
  BusBeat latest_;          // of these the last
};

}  // namespace hauberk
