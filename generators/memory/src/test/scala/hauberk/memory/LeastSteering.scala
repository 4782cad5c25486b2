package hauberk.memory

import hauberk.memory.counter.CompilerCounters

/** Counters that a program steers: one of everything and the smallest tables, for corners and for proofs. */
object LeastSteering {
  val counters: CompilerCounters = CompilerCounters(
    registers = 1,
    ids = 1,
    loadHints = 2,
    storeHints = 2,
    filter = 2,
    pairFetches = 1,
    updates = 1,
    expectedPads = 1
  )
}
