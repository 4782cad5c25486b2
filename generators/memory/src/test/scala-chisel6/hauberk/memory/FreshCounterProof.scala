package hauberk.memory

import chisel3._
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.counter.Timestamps
import hauberk.testing.{Proof, ProofSuite}

/** Every counter is larger than the one given before it. */
private class FreshCounters(p: Protection) extends CountersOfWrites(p) {
  when(gives) { assert(later > latest) }
}

/** Property (b): a counter never goes back.
  *
  * Of any two counters that the store gives to writes, the later is larger; none is 0, and none is for the static key. Memory may answer
  * anything, and refuse anything.
  */
// covers: memory.no-pad-twice
class FreshCounterProof extends ProofSuite {
  private def p(bits: Int) = Protection(
    ProofEnvironment.small.copy(counters = Timestamps(bits, MetadataCacheParams(lines = 2, ways = 1, mshrs = 1))),
    ProofEnvironment.bank
  )
  holds('b', "global timer of 3 bits, beyond its end")(new FreshCounters(p(3)))
  refuted(
    'b',
    "a timer that stands still",
    10,
    change = Proof.tie("TimestampStore", "timer", 0)
  )(new FreshCounters(p(8)))
  refuted('b', "a timer that wraps around", 16, change = Proof.tie("TimestampStore", "overflow", 0))(
    new FreshCounters(p(3))
  )
}
