package hauberk.crypto

import chisel3._
import chisel3.util._

/** Arithmetic in GF(2^128) as GCM has it (NIST SP 800-38D, section 6.3): the most significant bit of a block is the coefficient of 1, the
  * least significant that of x^127, modulo x^128 + x^7 + x^2 + x + 1.
  */
object GF128 {

  /** The product, in no cycle: 16,384 AND gates and as many XORs. Both operands have 128 bits. */
  def multiply(a: UInt, b: UInt): UInt = {
    require(
      a.getWidth == 128 && b.getWidth == 128,
      s"operands of ${a.getWidth} and ${b.getWidth} bits are no elements of GF(2^128): give both 128 bits"
    )
    // Coefficients of the product are 0 to 254; those from 128 on are folded back. The block's first bit is coefficient 0.
    val low = (0 until 128).map(i => Mux(b(127 - i), later(a, i), 0.U(128.W))).reduce(_ ^ _)
    val high = (1 until 128).map(i => Mux(b(127 - i), sooner(a, 128 - i), 0.U(128.W))).reduce(_ ^ _)
    // x^128 = x^7 + x^2 + x + 1; the overflow is folded once more
    val carried = sooner(high, 127) ^ sooner(high, 126) ^ sooner(high, 121)
    val folded = high ^ carried
    low ^ folded ^ later(folded, 1) ^ later(folded, 2) ^ later(folded, 7)
  }

  /** Times x^by, without the overflow. */
  private def later(a: UInt, by: Int): UInt = if (by == 0) a else Cat(0.U(by.W), a(127, by))

  /** Overflow of a multiplication by x^(128 - by). */
  private def sooner(a: UInt, by: Int): UInt = Cat(a(127 - by, 0), 0.U(by.W))
}
