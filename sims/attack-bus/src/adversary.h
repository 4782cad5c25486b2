// The owner of the shared bus: sees every beat before it is taken, and decides what each member receives.
#pragma once

#include "pins.h"

namespace hauberk::bus {

class Adversary {
 public:
  virtual ~Adversary() = default;

  /** In the last cycle of a bus cycle: what members would send and what the shared bus shows; the taps are clear. */
  virtual void tamper(const View& view, Taps& taps) = 0;

  /** What was taken in the end. */
  virtual void taken(const View&) {}

  /** Something false has reached a member. */
  bool struck = false;

  /** The alarm must come in so many transfers; not if MACs are kept from members, who can only notice that none come,
   * nor if there may be several attacks, the first of which was none. */
  bool timed = true;

  /** Transfers that some member cannot have counted, as they were kept from it while it counted others: its bound is of
   * what it sees. */
  unsigned uncounted = 0;
};

}  // namespace hauberk::bus
