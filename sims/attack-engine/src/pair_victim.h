// What attacks on pairs have in common.
#pragma once

#include "attack_class.h"

namespace hauberk::engine {

/** Programs have these manners for a while; as they are by default, nobody says anything but the attack. */
class Programs {
 public:
  Programs(Bench& bench, const Manners& manners) : steering_(bench.steering), before_(steering_.manners) {
    steering_.manners = manners;
  }
  ~Programs() { steering_.manners = before_; }
  Programs(const Programs&) = delete;

 private:
  Steering& steering_;
  const Manners before_;
};

/** Blocks that hostile hints are about, from the first on. */
constexpr uint32_t kFew = 24;

/** As an honest memory has it. */
inline uint32_t pairOf(const Bench& bench, uint32_t block) { return bench.pairIn(bench.memory.honest, block); }
constexpr bool isGlobal(uint32_t pair) { return pair >> 31 != 0; }

/** A new beginning; until tables that are cleared after a reset take hints. */
void bootAndClear(Bench& bench);
/** Small registers are at their end in a victim. */
void renewRegisters(Bench& bench);

/** Of an attempt that makes nothing false. */
Outcome judgePeace(Bench& bench);
/** The same, and memory must decrypt to what was written. Hints that no write followed, of which none had been steered
 * since the engine counted `before`, are no attempt. */
Outcome judgeSteered(Bench& bench, uint64_t before);

}  // namespace hauberk::engine
