package hauberk.memory.llc

import chisel3._
import hauberk.abi.Counter

/** Counts of a last-level cache since reset. */
class LastLevelStatistics extends Bundle {
  val hits, misses, writebacks = UInt(64.W)
}

/** The same, described. */
object LastLevelStatistics {
  val counters: Seq[Counter] = Seq(
    Counter("hits", 0, "hits", Some(("lastLevelCache", "hits")), "accesses that found their line"),
    Counter("misses", 1, "misses", Some(("lastLevelCache", "misses")), "accesses that did not"),
    Counter("writebacks", 2, "writebacks", Some(("lastLevelCache", "writebacks")), "lines written back to memory")
  )
}
