package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.common.Bank
import hauberk.memory.counter.{CompilerCounters, CounterHint, SteeredPairs}
import hauberk.testing.{Proof, ProofSuite}

/** Steered pairs under any program: in each cycle any hint or none, and any access or none.
  *
  * @param near  bits of the number of the highest block that it names
  * @param claim what is asserted of two writes that get a pair, an earlier one and a later one: whether both are of one block, and their pairs
  */
private class PairsOfWrites(p: Protection, near: Int, claim: (Bool, UInt, UInt) => Bool) extends Module {
  val hint = IO(Flipped(Valid(new CounterHint(near))))
  val access = IO(Flipped(Valid(UInt(near.W))))
  val write = IO(Input(Bool()))
  val mark = IO(Input(Bool()))
  val pairs = Module(new SteeredPairs(p, p.params.counters.asInstanceOf[CompilerCounters]))
  pairs.io.hint.valid := hint.valid
  pairs.io.hint.bits.kind := hint.bits.kind
  pairs.io.hint.bits.block := hint.bits.block
  pairs.io.hint.bits.id := hint.bits.id
  pairs.io.access.valid := access.valid
  pairs.io.access.write := write
  pairs.io.access.block := access.bits
  private val block = RegNext(access.bits)
  private val steered = pairs.io.steered

  // Any pair that is given, and every later one
  private val seen = RegInit(false.B)
  private val earlier = Reg(UInt(CompilerCounters.pairBits.W))
  private val its = Reg(UInt(near.W))
  when(steered.valid && mark && !seen) {
    seen := true.B
    earlier := steered.bits
    its := block
  }
  when(steered.valid) {
    assert(RegNext(access.valid && write, false.B))
    assert(steered.bits =/= 0.U && !steered.bits(CompilerCounters.pairBits - 1))
  }
  when(steered.valid && seen) { assert(claim(block === its, earlier, steered.bits)) }
}

/** Property (h): no pair of a counter id and the value of its register is given to a block twice, whatever the program hints, in any cycle, and
  * whatever it writes and reads.
  *
  * The sizes are such that tables are cleared two to four cycles after reset. What is left of the bound is more writes than any rule of
  * `FreshPairs` looks back on: it keeps a block, two directions and a value of each id, and a value of each place of the filter.
  */
// covers: memory.steered-pads
class SteeredPairsProof extends ProofSuite {
  private def p(counters: CompilerCounters) =
    Protection(ProofEnvironment.small.copy(counters = counters, reads = 1, writes = 1), Bank(512, 8, 8, 1))
  private val tiny =
    LeastSteering.counters.copy(ids = 2, valueBits = 2, globalBits = 2)
  private def differ(same: Bool, one: UInt, two: UInt): Bool = !(same && one === two)

  private val points = Seq(
    ("1 register, 2 ids, filter 2, 4 blocks", tiny, 2),
    ("1 register, 1 id, filter 4, 8 blocks", tiny.copy(ids = 1, filter = 4), 3),
    ("2 registers, 4 ids, filter 2, 4 blocks", tiny.copy(registers = 2, ids = 4, valueBits = 3), 2)
  )
  for ((name, counters, near) <- points)
    holds('h', name)(new PairsOfWrites(p(counters), near, differ))

  private def value(pair: UInt): UInt = pair(CounterHint.valueBits - 1, 0)
  private def id(pair: UInt): UInt = pair(CompilerCounters.pairBits - 2, CounterHint.valueBits)
  reached('h', "a block gets a second value of an id", 8)(
    new PairsOfWrites(p(tiny), 2, (same, one, two) => !(same && id(one) === id(two) && value(one) < value(two)))
  )
  reached('h', "two blocks get one pair", 8)(new PairsOfWrites(p(tiny), 2, (same, one, two) => !(!same && one === two)))

  for (
    (mutant, signal, value) <- Seq(
      ("an id that is always thought unwritten", "isFirst", 1),
      ("a filter that knows nothing", "isUnused", 1),
      ("spans that forget a block above", "span.up", 0),
      ("spans that forget a block below", "span.down", 0),
      ("a pair that is given without being new", "io.fresh", 1)
    )
  )
    refuted('h', mutant, 10, change = Proof.tie("FreshPairs", signal, value))(new PairsOfWrites(p(tiny), 2, differ))
}
