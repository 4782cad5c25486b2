package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.bus._

/** Puts the beats of each TileLink message of a channel together to one message of the bus.
  *
  * The n-th TileLink beat is the n-th part of the data, from bit 0 on, with every byte in its lane: so what is not longer than a beat of the
  * shared bus takes one of these. Adds no cycle: the message is there in the cycle of its last beat, and if nobody takes it, is kept, while the
  * next one is put together but for its last beat. Whether a beat is taken depends on registers alone.
  *
  * @param kind the incoming channel of the edge
  */
private[tilelink] class TLSerializer[T <: TLChannel](val p: BusParams, edge: TLEdge, kind: => T) extends Module {
  val io = IO(new Bundle {
    val beats = Flipped(Decoupled(kind))

    /** Destination and group of the message, sampled in the cycle of the last beat. */
    val peer = Input(UInt(p.pidBits.W))
    val group = Input(UInt(p.gidBits.W))
    val message = Decoupled(new BusMessage(p))

    /** The buffered message, which may belong to another group than the incoming one. */
    val kept = Output(Valid(UInt(p.gidBits.W)))
  })
  private val beatBytes = edge.manager.beatBytes
  private val beatBits = beatBytes * 8
  private val bits = io.beats.bits
  private val apart = TLCommand.apart(bits)
  private val (firstOfAll, lastOfAll, _, countOfAll) = edge.count(io.beats)
  private val first = firstOfAll || apart
  private val last = lastOfAll || apart
  private val count = Mux(apart, 0.U, countOfAll)
  private val (hasData, lgSize, data, corruptNow) = (bits: TLChannel) match {
    case withData: TLDataChannel =>
      (edge.hasData(withData), edge.size(withData), edge.data(withData), edge.corrupt(withData))
    case _ => (false.B, 0.U, 0.U, false.B)
  }
  private val corruptBefore = RegInit(false.B)
  private val corrupt = corruptNow || (!first && corruptBefore)
  private val parts = Reg(Vec(p.lineBits / beatBits, UInt(beatBits.W)))
  when(io.beats.valid && io.beats.ready) {
    corruptBefore := corrupt
    for ((part, i) <- parts.zipWithIndex) { when(count === i.U) { part := data } }
  }
  private val whole = VecInit(parts.zipWithIndex.map { case (part, i) =>
    Mux(!hasData || count < i.U, 0.U, Mux(count === i.U, data, part))
  })
  private val length = new MessageLength(p, beatBytes)

  // No pipe: what the shared bus decides in a cycle would go back to whoever sends in the same one. It would gain nothing: in the cycle after the
  // kept message is taken, the next one flows through.
  private val kept = Module(new Queue(new BusMessage(p), 1, flow = true))
  kept.io.enq.valid := io.beats.valid && last
  kept.io.enq.bits.peer := io.peer
  kept.io.enq.bits.group := io.group
  kept.io.enq.bits.command := TLCommand.pack(bits, corrupt)
  kept.io.enq.bits.beats := length(hasData, apart, lgSize)
  kept.io.enq.bits.data := whole.asUInt
  io.beats.ready := !last || kept.io.enq.ready
  io.message <> kept.io.deq
  io.kept.valid := kept.io.count =/= 0.U
  io.kept.bits := kept.io.deq.bits.group
}
