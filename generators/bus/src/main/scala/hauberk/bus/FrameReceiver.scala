package hauberk.bus

import chisel3._
import chisel3.util._

/** Puts the beats that are for this member together to messages, with room for two a channel.
  *
  * `accepts` says that the beat shown has room and continues the message that has begun, and answers in the same cycle. A message can be
  * taken in the cycle after its last beat. A beat that is committed without having been accepted is not taken; `lost` says so. An honest
  * shared bus puts nothing between the beats of a message; what another puts there may be of another group, so that no MAC tells of it.
  *
  * @param channels whose messages this member receives, in the order of the ports
  */
class FrameReceiver(val p: BusParams, val channels: Seq[Int]) extends Module {
  val io = IO(new Bundle {
    val shown = Input(new BusBeat(p))
    val accepts = Output(Bool())

    /** The beat shown is this member's, decrypted, and taken. */
    val commit = Input(Bool())
    val lost = Output(Bool())
    val messages = Vec(channels.size, Decoupled(new BusMessage(p)))
  })
  private val begun = RegInit(0.U(p.beatsBits.W))
  private val parts = Reg(Vec(p.lineBeats, UInt(p.sharedBus.widthBits.W)))
  private val known = channels.map(_.U === io.shown.channel)
  private val fits = begun < p.lineBeats.U

  /** Of the message that has begun: its group, sender and channel. */
  private def origin = Cat(io.shown.group, io.shown.source, io.shown.channel)
  private val first = Reg(UInt((p.gidBits + p.pidBits + BusChannel.width).W))
  private val continues = begun === 0.U || (io.shown.hasData && origin === first)

  /** Nothing comes behind a beat without data: no MAC may tell of such a one, and it would displace the data behind it. */
  private val ends = io.shown.hasData || io.shown.last

  private val message = Wire(new BusMessage(p))
  private val whole = VecInit(parts.zipWithIndex.map { case (part, i) =>
    Mux(i.U < begun, part, Mux(i.U === begun && io.shown.hasData, io.shown.data, 0.U))
  })
  message.peer := io.shown.source
  message.group := io.shown.group
  message.command := io.shown.command
  message.beats := Mux(io.shown.hasData, begun + 1.U, 0.U)
  message.data := whole.asUInt

  private val queues = channels.zip(known).zipWithIndex.map { case ((_, mine), i) =>
    val queue = Module(new Queue(new BusMessage(p), 2))
    queue.io.enq.valid := io.commit && io.accepts && io.shown.last && mine
    queue.io.enq.bits := message
    io.messages(i) <> queue.io.deq
    queue.io.enq.ready && mine
  }
  io.accepts := fits && continues && ends && queues.reduce(_ || _)
  io.lost := io.commit && !io.accepts
  when(io.commit && io.accepts) {
    begun := Mux(io.shown.last, 0.U, begun + 1.U)
    first := origin
    for ((part, i) <- parts.zipWithIndex) { when(begun === i.U) { part := io.shown.data } }
  }
}
