package hauberk.bus

import chisel3._
import chisel3.util._

/** A member's messages: those it sends and those it receives, a port for each channel.
  *
  * A message stays until it is taken, whole. Messages of a channel between two members keep their order.
  */
class MessagePorts(val p: BusParams, val sends: Int, val receives: Int) extends Bundle {
  val send = Vec(sends, Flipped(Decoupled(new BusMessage(p))))
  val receive = Vec(receives, Decoupled(new BusMessage(p)))
}

/** A member of the bus: its messages in beats, and its security hardware unit, if the bus has some.
  *
  * @param pid its number, 0 at the home node
  */
class BusMember(val p: BusParams, val pid: Int) extends Module {
  val sends: Seq[Int] = if (pid == BusParams.home) BusChannel.toTiles else BusChannel.toHome
  val receives: Seq[Int] = if (pid == BusParams.home) BusChannel.toHome else BusChannel.toTiles
  private val encrypts = pid != BusParams.home
  val io = IO(new Bundle {
    val messages = new MessagePorts(p, sends.size, receives.size)
    val sharedBus = new SharedBusPort(p)
    val globalAlarm = Input(Bool())

    /** Of the unit; absent where there is none. */
    val control = p.security.map(_ => new ShuControl(p))

    /** Encryption for memory; absent where this member does none. */
    val pads = if (encrypts) p.pads.map(pads => new TilePadsPorts(pads, p.lineBits)) else None
  })
  private val sender = Module(new FrameSender(p, sends))
  private val receiver = Module(new FrameReceiver(p, receives))
  sender.io.pid := pid.U
  sender.io.messages <> io.messages.send
  io.messages.receive <> receiver.io.messages

  io.control match {
    case Some(control) =>
      val unit = Module(new SecurityHardwareUnit(p))
      unit.io.pid := pid.U
      unit.io.sharedBus <> io.sharedBus
      unit.io.send <> sender.io.beat
      unit.io.accepts := receiver.io.accepts
      unit.io.globalAlarm := io.globalAlarm
      unit.io.control <> control
      for (speech <- unit.io.pads) {
        speech.transmit.valid := false.B
        speech.transmit.bits := 0.U.asTypeOf(speech.transmit.bits)
        speech.receive.ready := true.B
      }
      for ((ports, speech) <- io.pads.zip(unit.io.pads)) {
        val pads = Module(new TilePads(p.pads.get, p.pidBits, p.lineBits))
        pads.io.pid := pid.U
        pads.io.ports <> ports
        speech.transmit <> pads.io.transmit
        pads.io.receive <> speech.receive
        pads.io.source := speech.source
        pads.io.keys := speech.keys
      }
      receiver.io.shown := unit.io.receive
      receiver.io.commit := unit.io.commit
    case None =>
      val received = io.sharedBus.received
      val mine = io.sharedBus.shown && received.destination === pid.U
      io.sharedBus.request := sender.io.beat.valid
      io.sharedBus.urgency := Urgency.ofChannel(sender.io.beat.bits.channel)
      io.sharedBus.beat := sender.io.beat.bits
      sender.io.beat.ready := io.sharedBus.granted
      io.sharedBus.accepts := !mine || receiver.io.accepts
      receiver.io.shown := received
      receiver.io.commit := io.sharedBus.commit && mine
  }
}
