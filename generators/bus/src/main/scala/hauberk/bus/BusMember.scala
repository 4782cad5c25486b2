package hauberk.bus

import chisel3._
import chisel3.util._

/** What a member does with messages: those it sends and those it hears, a port a channel.
  *
  * A message stays until it is taken, whole. Messages of a channel between two members keep their order.
  */
class MessagePorts(val p: BusParams, val sends: Int, val hears: Int) extends Bundle {
  val send = Vec(sends, Flipped(Decoupled(new BusMessage(p))))
  val hear = Vec(hears, Decoupled(new BusMessage(p)))
}

/** A member of the bus: its messages in beats, and its security hardware unit, if the bus has some.
  *
  * @param pid its number, 0 at the home node
  */
class BusMember(val p: BusParams, val pid: Int) extends Module {
  val sends: Seq[Int] = if (pid == BusParams.home) BusChannel.toTiles else BusChannel.toHome
  val hears: Seq[Int] = if (pid == BusParams.home) BusChannel.toHome else BusChannel.toTiles
  private val encrypts = pid != BusParams.home
  val io = IO(new Bundle {
    val messages = new MessagePorts(p, sends.size, hears.size)
    val medium = new MediumPort(p)
    val globalAlarm = Input(Bool())

    /** Of the unit; absent where there is none. */
    val control = p.security.map(_ => new ShuControl(p))

    /** Encryption for memory; absent where this member does none. */
    val pads = if (encrypts) p.pads.map(pads => new TilePadsPorts(pads, p.lineBits)) else None
  })
  private val sender = Module(new FrameSender(p, sends))
  private val receiver = Module(new FrameReceiver(p, hears))
  sender.io.pid := pid.U
  sender.io.messages <> io.messages.send
  io.messages.hear <> receiver.io.messages

  io.control match {
    case Some(control) =>
      val unit = Module(new SecurityHardwareUnit(p))
      unit.io.pid := pid.U
      unit.io.medium <> io.medium
      unit.io.send <> sender.io.beat
      unit.io.accepts := receiver.io.accepts
      unit.io.globalAlarm := io.globalAlarm
      unit.io.control <> control
      for (speech <- unit.io.pads) {
        speech.say.valid := false.B
        speech.say.bits := 0.U.asTypeOf(speech.say.bits)
        speech.hear.ready := true.B
      }
      for ((ports, speech) <- io.pads.zip(unit.io.pads)) {
        val pads = Module(new TilePads(p.pads.get, p.pidBits, p.lineBits))
        pads.io.pid := pid.U
        pads.io.ports <> ports
        speech.say <> pads.io.say
        pads.io.hear <> speech.hear
        pads.io.source := speech.source
        pads.io.key := speech.key
      }
      receiver.io.shown := unit.io.hear
      receiver.io.commit := unit.io.commit
    case None =>
      val heard = io.medium.heard
      val mine = io.medium.shown && heard.destination === pid.U
      io.medium.request := sender.io.beat.valid
      io.medium.urgency := Urgency.ofChannel(sender.io.beat.bits.channel)
      io.medium.beat := sender.io.beat.bits
      sender.io.beat.ready := io.medium.granted
      io.medium.accepts := !mine || receiver.io.accepts
      receiver.io.shown := heard
      receiver.io.commit := io.medium.commit && mine
  }
}
