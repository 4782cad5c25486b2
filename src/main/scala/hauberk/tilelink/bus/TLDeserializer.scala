package hauberk.tilelink.bus

import chisel3._
import freechips.rocketchip.tilelink._
import chisel3.util._
import hauberk.bus._

/** Lays each message of the bus out as the beats of a TileLink message of a channel: the inverse of [[TLSerializer]]. Adds no cycle.
  *
  * A message is held, and `malformed` is set, if it is larger than a line, if its data length does not match its command, which is not authenticated, if its data are of another
  * group than their page, or if its source waits for an answer already.
  *
  * @param kind the outgoing channel of the edge
  */
private[tilelink] class TLDeserializer[T <: TLChannel](val p: BusParams, edge: TLEdge, kind: => T) extends Module {
  val io = IO(new Bundle {
    val message = Flipped(Decoupled(new BusMessage(p)))
    val beats = Decoupled(kind)

    /** The message has data of another group than that of their page; looked at before its first beat is taken. */
    val astray = Input(Bool())

    /** An earlier message of its source has no answer yet; looked at with its first beat. */
    val inFlight = Input(Bool())

    /** The first beat of a message is taken. */
    val begins = Output(Bool())
    val malformed = Output(Bool())
  })
  private val beatBits = edge.manager.beatBytes * 8
  private val (first, last, _, count) = edge.count(io.beats)
  private val bits = io.beats.bits
  private val apart = TLCommand.apart(bits)
  private val data = Choose(
    VecInit((0 until p.lineBits / beatBits).map { i =>
      io.message.bits.data((i + 1) * beatBits - 1, i * beatBits)
    }),
    Mux(apart, 0.U, count)
  )
  private val (hasData, lgSize) = (bits: TLChannel) match {
    case withData: TLDataChannel => (edge.hasData(withData), edge.size(withData))
    case _ => (false.B, 0.U)
  }
  private val length = new MessageLength(p, edge.manager.beatBytes)
  private val wellFormed = io.message.bits.beats === length(hasData, apart, lgSize) &&
    length.fits(lgSize) && !((first || apart) && io.astray) && !(first && io.inFlight)
  io.malformed := io.message.valid && !wellFormed
  io.beats.valid := io.message.valid && wellFormed
  io.begins := io.beats.valid && io.beats.ready && first
  io.message.ready := io.beats.ready && (last || apart) && wellFormed
  TLCommand.unpack(io.message.bits.command, bits)
  (bits: TLChannel) match {
    case a: TLBundleA => a.data := data
    case b: TLBundleB => b.data := data
    case c: TLBundleC => c.data := data
    case d: TLBundleD => d.data := data
    case _ =>
  }
}
