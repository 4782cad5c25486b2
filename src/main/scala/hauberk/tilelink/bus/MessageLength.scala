package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.bus._

/** How many beats of the shared bus a TileLink message takes.
  *
  * @param beatBytes of TileLink
  */
private[tilelink] class MessageLength(p: BusParams, beatBytes: Int) {
  private val busBytes = p.sharedBus.widthBits / 8
  private val least = math.max(1, beatBytes / busBytes)
  private val bySize = Seq.tabulate(log2Ceil(p.lineBytes) + 1) { size =>
    math.max(least, (1 << size) / busBytes).U(p.beatsBits.W)
  }

  /** @param apart each of its beats is sent by itself */
  def apply(hasData: Bool, apart: Bool, lgSize: UInt): UInt =
    Mux(hasData, Mux(apart, least.U(p.beatsBits.W), Choose(bySize, lgSize)), 0.U)

  /** Messages of this size exist. */
  def fits(lgSize: UInt): Bool = lgSize <= log2Ceil(p.lineBytes).U
}
