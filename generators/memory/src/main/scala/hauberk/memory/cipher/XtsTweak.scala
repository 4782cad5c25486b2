package hauberk.memory.cipher

import chisel3._
import hauberk.crypto.Doubling
import hauberk.memory.common.Geometry

/** The arithmetic of XTS-AES (IEEE 1619, SP 800-38E) around the cipher. All values are in the byte order of memory, lowest address in the
  * least significant byte, in which the standard's multiplication by alpha is a shift; [[hauberk.crypto.MemoryOrder]] leads to the byte order of
  * FIPS-197 and back.
  *
  * AES block i of data unit n is C[i] = E_K1(P[i] XOR T[i]) XOR T[i], with T[i] = E_K2(n) * alpha^i in GF(2^128).
  */
private[memory] object XtsTweak {

  /** Data units of spilled metadata lines have this bit, data units of blocks have not: one tweak never serves both. */
  val spillBit = 48
  private val engineShift = 40

  /** The number of the data unit of a protected block. */
  def block(p: Geometry, block: UInt): UInt = dataUnit(p, block, spilled = false)

  /** The number of the data unit of a metadata line. */
  def line(p: Geometry, line: UInt): UInt = dataUnit(p, line, spilled = true)

  private def dataUnit(p: Geometry, index: UInt, spilled: Boolean): UInt = {
    require(
      index.getWidth <= engineShift,
      s"an index of ${index.getWidth} bits does not fit the $engineShift bits it has in a data unit number: make the bank smaller"
    )
    val fixed = (BigInt(if (spilled) 1 else 0) << spillBit) | (BigInt(p.bank.engine) << engineShift)
    index | fixed.U(128.W)
  }

  /** T[0] to T[count - 1] out of T[0]. */
  def powers(first: UInt, count: Int): Vec[UInt] = VecInit(Seq.iterate(first, count)(Doubling(_)))
}
