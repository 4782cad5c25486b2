package hauberk.memory

import chisel3._
import hauberk.memory.common.Bank
import hauberk.memory.counter.CompilerCounters
import hauberk.testing.Proof
import org.scalatest.funsuite.AnyFunSuite

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
class CompilerCounterProof extends AnyFunSuite {
  private val tiny = LeastSteering.counters.copy(ids = 2, updates = 2, valueBits = 2, globalBits = 2)
  private def p(counters: CompilerCounters) =
    Protection(ProofEnvironment.small.copy(counters = counters, reads = 1, writes = 2), Bank(512, 8, 8, 2))

  // covers: memory.steered-pads
  test("(i) no pair is given to a block twice, and no global counter to two writes: 1 register, 4 blocks, 12 cycles") {
    assert(Proof.check(12)(new PairsOfStore(p(tiny))) == Proof.Proved)
  }
  test("(i) no global counter is given to two writes: no registers, 4 blocks, 16 cycles") {
    assert(Proof.check(16)(new PairsOfStore(p(tiny.copy(registers = 0)))) == Proof.Proved)
  }
  test("reached within 10 cycles: a block gets any two of steered and global pairs, in any order") {
    for {
      one <- Seq(true, false)
      two <- Seq(true, false)
    } assert(Proof.check(10)(new PairsReached(p(tiny), (one, two))) == Proof.Refuted, (one, two))
  }
  private def isFound(module: String, signal: String, value: BigInt, counters: CompilerCounters = tiny) =
    Proof.check(12, change = Proof.tie(module, signal, value)(_))(new PairsOfStore(p(counters))) == Proof.Refuted
  test("mutation: a global counter that stands still is found") {
    assert(isFound("CompilerCounterStore", "global", 0, tiny.copy(registers = 0)))
    assert(isFound("CompilerCounterStore", "global", 0))
  }
  test("mutation: a global counter that wraps around is found") {
    assert(isFound("CompilerCounterStore", "overflow", 0, tiny.copy(registers = 0)))
  }
  test("mutation: a hinted pair that is given without being new is found") {
    assert(isFound("FreshPairs", "io.fresh", 1))
  }
}
