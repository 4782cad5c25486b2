package hauberk.bus

import chisel3._
import chisel3.util._

/** An adversary's changes to the wires of one member in this cycle; none if all is zero. */
class BusTap(val p: BusParams) extends Bundle {

  /** The member receives `beat` in place of the shared bus, and takes it, if `valid`; else it receives nothing. */
  val replace = Bool()
  val valid = Bool()
  val beat = new BusBeat(p)

  /** The member is told that the beat it wants to send is taken, which the shared bus does not know of. */
  val grant = Bool()
}

/** An adversary's view. */
class BusView(val p: BusParams) extends Bundle {

  /** A bus cycle ends; what is shown is taken. */
  val tick = Bool()
  val taken = Bool()
  val shown = Bool()
  val beat = new BusBeat(p)

  /** Each member's offered beat. */
  val requests = Vec(p.members, Bool())
  val offers = Vec(p.members, new BusBeat(p))
}

/** Members, joined by nothing but a shared bus, whose wires anybody may tamper with.
  *
  * The global alarm is a wire of the shared bus, too. Cutting it does not help the attacker: the member that raised it sends no more MACs.
  */
class BroadcastBus(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val home = new MessagePorts(p, BusChannel.toTiles.size, BusChannel.toHome.size)
    val tiles = Vec(p.members - 1, new MessagePorts(p, BusChannel.toHome.size, BusChannel.toTiles.size))

    /** By PID; absent on a shared bus in the clear. */
    val control = p.security.map(_ => Vec(p.members, new ShuControl(p)))

    /** Encryption for memory, of each tile; absent where they do none. */
    val pads = p.pads.map(pads => Vec(p.members - 1, new TilePadsPorts(pads, p.lineBits)))
    val alarm = Output(Bool())
    val taps = Input(Vec(p.members, new BusTap(p)))
    val view = Output(new BusView(p))
  })
  private val sharedBus = Module(new SharedBus(p))
  private val members = Seq.tabulate(p.members)(pid => Module(new BusMember(p, pid)))
  private val alarm = io.control.fold(false.B)(_.map(_.alarm =/= BusAlarm.none.U).reduce(_ || _))
  io.alarm := alarm
  members(BusParams.home).io.messages <> io.home
  for ((tile, ports) <- members.tail.zip(io.tiles)) { tile.io.messages <> ports }
  for ((member, pid) <- members.zipWithIndex) {
    val wires = sharedBus.io.members(pid)
    val tap = io.taps(pid)
    val port = member.io.sharedBus
    member.io.globalAlarm := alarm
    port.tick := wires.tick
    wires.request := port.request
    wires.urgency := port.urgency
    wires.beat := port.beat
    wires.accepts := port.accepts
    port.granted := wires.granted || (tap.grant && wires.tick)
    port.shown := Mux(tap.replace, tap.valid, wires.shown)
    port.commit := Mux(tap.replace, tap.valid && wires.tick, wires.commit)
    port.received := Mux(tap.replace, tap.beat, wires.received)
    io.control.zip(member.io.control).foreach { case (outer, inner) => outer(pid) <> inner }
    io.pads.zip(member.io.pads).foreach { case (outer, inner) => outer(pid - 1) <> inner }
    io.view.requests(pid) := port.request
    io.view.offers(pid) := port.beat
  }
  io.view.tick := sharedBus.io.tick
  io.view.taken := sharedBus.io.taken
  io.view.shown := sharedBus.io.shown
  io.view.beat := sharedBus.io.beat
}
