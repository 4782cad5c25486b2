package hauberk.bus

import chisel3._
import chisel3.util._

/** Lays messages out as beats, the most urgent first.
  *
  * A message stays at its port until its last beat is taken. Adds no cycle. No other message begins while one is under way.
  *
  * @param channels whose messages this member sends, in the order of the ports
  */
class FrameSender(val p: BusParams, val channels: Seq[Int]) extends Module {
  val io = IO(new Bundle {
    val pid = Input(UInt(p.pidBits.W))
    val messages = Vec(channels.size, Flipped(Decoupled(new BusMessage(p))))
    val beat = Decoupled(new BusBeat(p))
  })
  private val begun = RegInit(0.U(p.beatsBits.W))
  private val current = RegInit(0.U(log2Ceil(channels.size).max(1).W))
  private val ports = channels.zipWithIndex.sortBy(-_._1).map(_._2)
  private val urgent = MuxCase(0.U, ports.map(port => io.messages(port).valid -> port.U))
  private val chosen = Mux(begun === 0.U, urgent, current)
  private val message = io.messages(chosen).bits
  private val last = begun +& 1.U >= message.beats
  private val parts = VecInit((0 until p.lineBeats).map { i =>
    message.data((i + 1) * p.sharedBus.widthBits - 1, i * p.sharedBus.widthBits)
  })

  io.beat.valid := io.messages(chosen).valid
  io.beat.bits.kind := FrameKind.transfer.U
  io.beat.bits.group := message.group
  io.beat.bits.source := io.pid
  io.beat.bits.destination := message.peer
  io.beat.bits.channel := VecInit(channels.map(_.U(BusChannel.width.W)))(chosen)
  io.beat.bits.command := message.command
  io.beat.bits.hasData := message.beats =/= 0.U
  io.beat.bits.last := last
  io.beat.bits.data := Mux(
    message.beats =/= 0.U,
    (if (p.lineBeats == 1) parts(0) else parts(begun(log2Ceil(p.lineBeats) - 1, 0))),
    0.U
  )
  for ((port, i) <- io.messages.zipWithIndex) { port.ready := io.beat.ready && last && chosen === i.U }
  when(io.beat.valid && io.beat.ready) {
    begun := Mux(last, 0.U, begun + 1.U)
    current := chosen
  }
}
