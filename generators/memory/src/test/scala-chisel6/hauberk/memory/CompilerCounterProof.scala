package hauberk.memory

import chisel3._
import hauberk.memory.common.Bank
import hauberk.memory.counter.CompilerCounters
import hauberk.testing.{Proof, ProofSuite}

/** Of two writes of a block, the pairs differ; of two that take the global counter, the later is larger, whatever their blocks. */
private class PairsOfStore(p: Protection) extends CountersOfWrites(p, near = Some(2)) {
  private def isGlobal(pair: UInt): Bool = pair(CompilerCounters.pairBits - 1)
  when(hasBoth) {
    assert(!isOfOneBlock || earlier =/= later)
    assert(!isGlobal(earlier) || !isGlobal(later) || later > earlier)
  }
}

/** Two writes get pairs, as is said of them: what is to be reached is asserted not to be. */
private class PairsReached(p: Protection, globals: (Boolean, Boolean)) extends CountersOfWrites(p, near = Some(2)) {
  private def isGlobal(pair: UInt): Bool = pair(CompilerCounters.pairBits - 1)
  when(hasBoth) { assert(!isOfOneBlock || isGlobal(earlier) =/= globals._1.B || isGlobal(later) =/= globals._2.B) }
}

/** Property (i): the store of steered counters gives no pair to a block twice, steered or of the global counter, and no value of the global counter
  * to any two writes, up to the end of both and beyond. Hints and look-ups are free; memory may answer anything, and refuse anything.
  */
// covers: memory.steered-pads
class CompilerCounterProof extends ProofSuite {
  private val tiny = LeastSteering.counters.copy(ids = 2, updates = 2, valueBits = 2, globalBits = 2)
  private def p(counters: CompilerCounters) =
    Protection(ProofEnvironment.small.copy(counters = counters, reads = 1, writes = 2), Bank(512, 8, 8, 2))

  private val withoutRegisters = tiny.copy(registers = 0)
  holds('i', "1 register, 2 ids, 4 blocks")(new PairsOfStore(p(tiny)))
  holds('i', "no registers, 4 blocks")(new PairsOfStore(p(withoutRegisters)))
  for {
    one <- Seq(true, false)
    two <- Seq(true, false)
  } {
    def kind(isGlobal: Boolean) = if (isGlobal) "a global" else "a steered"
    reached('i', s"a block gets ${kind(one)}, then ${kind(two)} pair", 10)(new PairsReached(p(tiny), (one, two)))
  }
  refuted(
    'i',
    "a global counter that stands still, no registers",
    12,
    change = Proof.tie("CompilerCounterStore", "global", 0)
  )(
    new PairsOfStore(p(withoutRegisters))
  )
  refuted('i', "a global counter that stands still", 12, change = Proof.tie("CompilerCounterStore", "global", 0))(
    new PairsOfStore(p(tiny))
  )
  refuted('i', "a global counter that wraps around", 12, change = Proof.tie("CompilerCounterStore", "overflow", 0))(
    new PairsOfStore(p(withoutRegisters))
  )
  refuted('i', "a hinted pair that is given without being new", 12, change = Proof.tie("FreshPairs", "io.fresh", 1))(
    new PairsOfStore(p(tiny))
  )
}
