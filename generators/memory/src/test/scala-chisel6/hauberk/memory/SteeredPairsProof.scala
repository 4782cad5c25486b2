package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.common.Bank
import hauberk.memory.counter.{CompilerCounters, CounterHint, SteeredPairs}
import hauberk.testing.{Proof, Thorough}
import org.scalatest.funsuite.AnyFunSuite

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
class SteeredPairsProof extends AnyFunSuite {
  private def p(counters: CompilerCounters) =
    Protection(ProofEnvironment.small.copy(counters = counters, reads = 1, writes = 1), Bank(512, 8, 8, 1))
  private val tiny =
    LeastSteering.counters.copy(ids = 2, valueBits = 2, globalBits = 2)
  private def differ(same: Bool, one: UInt, two: UInt): Bool = !(same && one === two)

  private val points = Seq(
    ("1 register, 2 ids, filter 2, 4 blocks", tiny, 2, 12),
    ("1 register, 1 id, filter 4, 8 blocks", tiny.copy(ids = 1, filter = 4), 3, 11),
    ("2 registers, 4 ids, filter 2, 4 blocks", tiny.copy(registers = 2, ids = 4, valueBits = 3), 2, 11)
  )
  for ((name, counters, near, cycles) <- points)
// covers: memory.steered-pads
    test(
      s"(h) no steered pair is given to a block twice: $name, $cycles cycles",
      Thorough.unless(name.startsWith("1 ")): _*
    ) {
      assert(Proof.check(cycles)(new PairsOfWrites(p(counters), near, differ)) == Proof.Proved)
    }

  private def reached(claim: (Bool, UInt, UInt) => Bool) =
    Proof.check(8)(new PairsOfWrites(p(tiny), 2, claim)) == Proof.Refuted
  private def value(pair: UInt): UInt = pair(CounterHint.valueBits - 1, 0)
  private def id(pair: UInt): UInt = pair(CompilerCounters.pairBits - 2, CounterHint.valueBits)
  test("reached within 8 cycles: a block gets a second value of an id, and two blocks get one pair") {
    assert(reached((same, one, two) => !(same && id(one) === id(two) && value(one) < value(two))))
    assert(reached((same, one, two) => !(!same && one === two)))
  }

  private def isFound(module: String, signal: String, value: BigInt) =
    Proof.check(
      10,
      change = Proof.tie(module, signal, value)(_)
    )(new PairsOfWrites(p(tiny), 2, differ)) == Proof.Refuted
  test("mutation: an id that is always thought unwritten is found") { assert(isFound("FreshPairs", "isFirst", 1)) }
  test("mutation: a filter that knows nothing is found") { assert(isFound("FreshPairs", "isUnused", 1)) }
  test("mutation: spans that forget a block above are found") { assert(isFound("FreshPairs", "span.up", 0)) }
  test("mutation: spans that forget a block below are found") { assert(isFound("FreshPairs", "span.down", 0)) }
  test("mutation: a pair that is given without being new is found") { assert(isFound("FreshPairs", "io.fresh", 1)) }
}
