package hauberk.crypto

import chisel3._
import chisel3.util._

/** Between the order of FIPS-197, whose first byte is the most significant, and that of a bus, whose first byte is the least significant. */
object MemoryOrder {

  /** The bytes of `bits`, whole ones, the other way round. */
  def reversed(bits: UInt): UInt = Cat((0 until bits.getWidth / 8).map(i => bits(8 * i + 7, 8 * i)))
}
