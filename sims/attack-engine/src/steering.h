// What programs say of the counters of their accesses, honest and hostile, beside all traffic.
#pragma once

#include <cstdint>
#include <deque>

#include "client.h"
#include "scheme.h"

namespace hauberk::engine {

/** How programs are. */
struct Manners {
  unsigned programs = 0;      // that steer as a compiler would, in turns of some hundred cycles
  uint32_t lostOneIn = 0;     // of their hints, one in so many does not come; 0: none is lost
  uint32_t lateOneIn = 0;     // one in so many comes behind its access, for another one
  uint32_t nextOneIn = 64;    // a register is incremented one cycle in so many
  uint32_t hostileOneIn = 0;  // anything is said one cycle in so many; 0: never
};

/** Says nothing to engines that take no hints. It draws from a source of its own, so that hints change nothing else in
 * a campaign. */
class Steering {
 public:
  Steering(const Scheme& scheme, uint64_t seed) : scheme_(scheme), random_(seed) {}

  Manners manners;
  /** Other manners. */
  void draw();
  /** From now on nobody says anything, so that nothing is drawn. */
  void silence() { manners = Manners(); }
  /** One hint of an attack's own; one a cycle, before all others. */
  void say(Hint::Kind kind, uint32_t block, unsigned id);

  /** The hint of a cycle in which the client begins this transfer, or none. */
  void drive(Inputs& inputs, const Transfer* begun);
  void reset();

 private:
  Hint right(const Transfer& transfer) const;
  Hint anything();

  const Scheme& scheme_;
  Random random_;
  std::deque<Hint> said_;
  Hint late_;
  unsigned program_ = 0;
};

}  // namespace hauberk::engine
