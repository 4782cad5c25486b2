package hauberk.crypto

import chisel3._
import chisel3.util._

/** Times x in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, the most significant bit being the coefficient of x^127: subkeys of CMAC (SP 800-38B),
  * and the next tweak of XTS (IEEE 1619), whose first byte then is the least significant.
  */
object Doubling {
  def apply(block: UInt): UInt = Cat(block(126, 0), 0.U(1.W)) ^ Mux(block(127), 0x87.U(128.W), 0.U(128.W))
}
