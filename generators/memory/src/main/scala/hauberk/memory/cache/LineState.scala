package hauberk.memory.cache

import chisel3._
import chisel3.util.Cat
import hauberk.fault.WordCode

/** State of a line in a [[LineCache]], without its number. */
class LineFlags(val code: WordCode) extends Bundle {
  val check = UInt(code.checkBits(LineFlags.bits).W)
  val valid = Bool()
  val dirty = Bool()

  /** Where the two differ; the check bits of a sum are the sum of the check bits. */
  def ^(that: LineFlags): LineFlags = (asUInt ^ that.asUInt).asTypeOf(new LineFlags(code))
  def faulty: Bool = code.decode(asUInt, LineFlags.bits).faulty
}

object LineFlags {
  private val bits = 2
  def apply(code: WordCode, valid: Bool, dirty: Bool): LineFlags =
    code.encode(Cat(valid, dirty)).asTypeOf(new LineFlags(code))
}

/** A fetch in flight. It owns its place in the cache until the guard has settled it. */
class LineMiss(val lineBits: Int, val slotBits: Int) extends Bundle {
  val valid = Bool()
  val asked = Bool()
  val installed = Bool()
  val settled = Bool()

  /** A beat has answered the look-up that began it. */
  val answered = Bool()
  val line = UInt(lineBits.W)
  val slot = UInt(slotBits.W)
}
