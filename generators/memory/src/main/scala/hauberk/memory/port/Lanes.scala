package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Parts of a block or a beat; the byte with the lowest address is the lowest. */
private[memory] object Lanes {

  /** The beats of a block. */
  def beats(block: UInt, params: MemoryPortParams): Vec[UInt] =
    VecInit((0 until params.blockBeats).map(i => block(params.beatBits * (i + 1) - 1, params.beatBits * i)))

  /** The bytes of `written` that the mask has, and the others of `old`. */
  def merge(mask: UInt, written: UInt, old: UInt): UInt = Cat((0 until mask.getWidth).reverse.map { i =>
    Mux(mask(i), written(8 * i + 7, 8 * i), old(8 * i + 7, 8 * i))
  })
}
