package hauberk.bus

import chisel3._
import chisel3.util._

/** One of several by its number; the upper bits of a number that is too wide do not count. */
private[hauberk] object Choose {
  def apply[T <: Data](from: Seq[T], number: UInt): T =
    if (from.size == 1) from.head else VecInit(from)((number + 0.U(width(from).W))(width(from) - 1, 0))

  private def width(from: Seq[_]): Int = log2Ceil(from.size)
}
