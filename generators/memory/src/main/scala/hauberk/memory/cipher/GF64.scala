package hauberk.memory.cipher

import chisel3._
import chisel3.util._

/** Arithmetic in GF(2^64): bit j of a word is the coefficient of x^j, modulo x^64 + x^4 + x^3 + x + 1. */
object GF64 {

  /** The product, in no cycle: 4,096 AND gates and as many XORs. Both operands have 64 bits. */
  def multiply(a: UInt, b: UInt): UInt = {
    require(
      a.getWidth == 64 && b.getWidth == 64,
      s"operands of ${a.getWidth} and ${b.getWidth} bits are no elements of GF(2^64): give both 64 bits"
    )
    // The upper half of the product apart from the lower, because a simulator is fastest on words of 64 bits
    val low = (0 until 64).map(i => Mux(b(i), shiftUp(a, i), 0.U(64.W))).reduce(_ ^ _)
    val high = (1 until 64).map(i => Mux(b(i), shiftDown(a, 64 - i), 0.U(64.W))).reduce(_ ^ _)
    // x^64 = x^4 + x^3 + x + 1; the overflow has at most four bits and is folded once more
    val carried = shiftDown(high, 63) ^ shiftDown(high, 61) ^ shiftDown(high, 60)
    val folded = high ^ carried
    low ^ folded ^ shiftUp(folded, 1) ^ shiftUp(folded, 3) ^ shiftUp(folded, 4)
  }

  private def shiftUp(a: UInt, by: Int): UInt = if (by == 0) a else Cat(a(63 - by, 0), 0.U(by.W))
  private def shiftDown(a: UInt, by: Int): UInt = if (by == 64) 0.U(64.W) else Cat(0.U(by.W), a(63, by))
}
