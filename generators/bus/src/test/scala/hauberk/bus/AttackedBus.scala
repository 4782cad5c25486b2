package hauberk.bus

import chisel3._
import chisel3.util._

/** A bus as the adversary's bench (`sims/attack-bus`) meets it: small in all that takes time to attack. What it claims follows from its parameters.
  *
  * @param opened the members of each group, as bits
  */
case class AttackedBus(name: String, params: BusParams, opened: Seq[Int]) {
  private def claims(claim: BusSecurityParams => Boolean): Boolean = params.security.exists(claim)

  /** What the bench is told: geometry and claims. */
  def json: ujson.Obj = ujson.Obj(
    "name" -> name,
    "beatWords" -> params.sharedBus.widthBits / 32,
    "lineBeats" -> params.lineBeats,
    "ratio" -> params.sharedBus.ratio,
    "groupEntries" -> params.security.fold(0)(_.groups),
    "groups" -> ujson.Arr.from(opened),
    "interval" -> params.security.fold(0)(_.interval.toInt),
    "window" -> params.security.fold(0)(_.window),
    "heartbeat" -> params.security.fold(64)(_.heartbeat),
    "timeout" -> params.security.fold(256)(_.timeout),
    "claims" -> ujson.Obj(
      "secrecy" -> params.security.isDefined,
      "integrity" -> params.security.isDefined,
      "commands" -> claims(_.authenticateCommands),
      "masksPerSender" -> claims(_.maskSource == BusMasks.PerSender)
    )
  )
}

object AttackedBus {
  private val small = BusSecurityParams(
    masks = 4,
    interval = 10,
    window = 8,
    heartbeat = 64,
    timeout = 256,
    aesLatency = 20
  )
  private val everybody = 0xf
  private val withoutLast = 0x7

  /** The home node and three tiles. */
  private def bus(security: Option[BusSecurityParams], widthBits: Int = 128): BusParams =
    BusParams(4, 60, sharedBus = SharedBusParams(ratio = 4, widthBits = widthBits), security = security)

  /** Every bus under attack. */
  val all: Seq[AttackedBus] = {
    import BusMac.Ghash
    import BusMasks.PerSender
    // Two groups, an entry that is free, and a number that is none
    val groups = small.copy(groups = 3, masks = 2, maskSource = PerSender)
    Seq(
      AttackedBus("SharedBus", bus(None), Seq(everybody)),
      AttackedBus("SenssChained", bus(Some(small)), Seq(everybody)),
      AttackedBus("SenssCommands", bus(Some(small.copy(authenticateCommands = true))), Seq(everybody)),
      AttackedBus("SenssGhash", bus(Some(small.copy(mac = Ghash)), widthBits = 256), Seq(everybody)),
      AttackedBus(
        "SenssHardened",
        bus(Some(groups.copy(authenticateCommands = true, mac = Ghash))),
        Seq(everybody, withoutLast)
      ),
      AttackedBus("SenssPerSender", bus(Some(groups)), Seq(everybody, withoutLast))
    )
  }
}

/** A bus with the same ports for every scheme: each member sends and receives on every channel, and has a control port. What there is not is
  * never ready and never valid.
  */
class BusUnderAttack(val p: BusParams) extends Module {
  private val controlled = if (p.security.isDefined) p else p.copy(security = Some(BusSecurityParams()))
  val io = IO(new Bundle {
    val send = Vec(p.members, Vec(BusChannel.count, Flipped(Decoupled(new BusMessage(p)))))
    val receive = Vec(p.members, Vec(BusChannel.count, Decoupled(new BusMessage(p))))
    val control = Vec(p.members, new ShuControl(controlled))
    val taps = Input(Vec(p.members, new BusTap(p)))
    val view = Output(new BusView(p))
  })
  private val bus = Module(new BroadcastBus(p))
  bus.io.taps := io.taps
  io.view := bus.io.view
  for {
    (ports, pid) <- (bus.io.home +: bus.io.tiles).zipWithIndex
    channel <- 0 until BusChannel.count
  } {
    val toHome = BusChannel.toHome.indexOf(channel)
    val toTiles = BusChannel.toTiles.indexOf(channel)
    val (sent, received) = if (pid == BusParams.home) (toTiles, toHome) else (toHome, toTiles)
    if (sent >= 0) ports.send(sent) <> io.send(pid)(channel) else io.send(pid)(channel).ready := false.B
    if (received >= 0) {
      io.receive(pid)(channel) <> ports.receive(received)
    } else {
      io.receive(pid)(channel).valid := false.B
      io.receive(pid)(channel).bits := 0.U.asTypeOf(new BusMessage(p))
    }
  }
  bus.io.control match {
    case Some(control) => io.control.zip(control).foreach { case (outer, inner) => inner <> outer }
    case None =>
      for (control <- io.control) {
        control <> DontCare
        control.alarm := BusAlarm.none.U
        control.agreed := 1.U
        control.random.ready := false.B
      }
  }
}
