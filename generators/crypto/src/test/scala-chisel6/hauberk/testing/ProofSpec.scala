package hauberk.testing

import chisel3._
import chisel3.util._
import org.scalatest.funsuite.AnyFunSuite

/** Operations of the hardware against bits and other operations, for all operands. */
private class Operations extends Module {
  val a, b = IO(Input(UInt(4.W)))
  val index = IO(Input(UInt(3.W)))
  private def repeated(by: UInt, step: UInt => UInt): UInt =
    (1 to 7).foldLeft((a, a)) { case ((value, result), i) => (step(value), Mux(by >= i.U, step(value), result)) }._2
  assert((a +& b) - b === a && (a -% b) +% b === a)
  assert((a < b) === (a -& b)(4) && (a <= b) === !(b < a))
  assert((a.asSInt < b.asSInt) === ((a ^ 8.U) < (b ^ 8.U)))
  assert((a.asSInt >= b.asSInt) === !(a.asSInt < b.asSInt))
  assert(a * b === VecInit((0 until 4).map(i => Mux(b(i), a << i, 0.U))).reduce(_ +& _))
  assert((a << index)(3, 0) === repeated(index, v => (v << 1)(3, 0)))
  assert((a >> index).asUInt === repeated(index, v => Cat(0.U(1.W), v(3, 1))))
  assert((a.asSInt >> index).asUInt === repeated(index, v => Cat(v(3), v(3, 1))))
  assert(a.orR === (a =/= 0.U) && a.andR === (a === 15.U) && a.xorR === PopCount(a)(0))
  assert(VecInit((0 until 8).map(i => (i * 5 % 8).U(3.W)))(index) === (index * 5.U)(2, 0))
}

/** A count that stands still at a limit, and a memory with one word to follow. */
private class Counting(claim: Int, allowed: Boolean = true) extends Module {
  val write = IO(Flipped(Valid(UInt(2.W))))
  val goes = IO(Input(Bool()))
  private val count = RegInit(0.U(4.W))
  when(goes && count =/= 9.U) { count := count + 1.U }
  assert(count <= claim.U)
  private val memory = Mem(4, UInt(4.W))
  private val followed = Reg(UInt(4.W))
  private val known = RegInit(false.B)
  when(write.valid) { memory.write(write.bits, count) }
  when(write.valid && write.bits === 2.U) {
    known := true.B
    followed := count
  }
  assert(!known || memory.read(2.U) === followed)
  if (!allowed) assume(count < 3.U || !goes)
  if (!allowed) assume(RegNext(goes, true.B) && goes)
}

/** A register that reset leaves alone. */
private class Kept extends Module {
  val kept = IO(Output(Bool()))
  private val register = Reg(Bool())
  register := !register
  kept := register
}
private class KeptTwice extends Module {
  val one = Module(new Kept)
  val two = Module(new Kept)
  assert(one.kept === two.kept)
}

/** Hard for a solver. */
private class Commutes extends Module {
  val a, b = IO(Input(UInt(24.W)))
  assert(a * b === b * a + RegInit(0.U(1.W)))
}

/** The way from hardware to the model checker. */
class ProofSpec extends AnyFunSuite {
  test("operations mean what they mean in hardware") { assert(Proof.check()(new Operations) == Proof.Proved) }
  test("a limit is proved without bound, and refuted if it is too small") {
    assert(Proof.check()(new Counting(9)) == Proof.Proved)
    assert(Proof.check()(new Counting(8)) == Proof.Refuted)
  }
  test("a bound counts the cycles after reset") {
    assert(Proof.check(Some(9))(new Counting(8)) == Proof.Proved)
    assert(Proof.check(Some(10))(new Counting(8)) == Proof.Refuted)
  }
  test("assumptions that no long run keeps prove nothing") {
    assert(Proof.check()(new Counting(9, allowed = false)) == Proof.Vacuous)
  }
  test("registers without reset hold anything, and the same in twins") {
    assert(Proof.check()(new KeptTwice) == Proof.Refuted)
    assert(Proof.check(twins = Some("one" -> "two"))(new KeptTwice) == Proof.Proved)
  }
  test("a search that takes too long proves nothing") {
    assert(Proof.check(patience = 2)(new Commutes) == Proof.Undecided)
    assert(Proof.check(Some(2), patience = 2)(new Commutes) == Proof.Undecided)
  }
}
