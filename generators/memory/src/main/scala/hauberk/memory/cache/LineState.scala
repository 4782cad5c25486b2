package hauberk.memory.cache

import chisel3._

/** State of a line in a [[LineCache]], without its number. */
class LineFlags extends Bundle {
  val valid = Bool()
  val dirty = Bool()

  /** Where the two differ. */
  def ^(that: LineFlags): LineFlags = (asUInt ^ that.asUInt).asTypeOf(new LineFlags)
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
