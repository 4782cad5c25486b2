package hauberk.soc

import chisel3._
import chisel3.util._
import hauberk.bus._
import hauberk.tilelink.bus.{BusFusePins, PadAnnouncement, SecureBusPins, SharedBusStatistics}

/** A beat of a shared bus, as wide as any that has pins. */
class SimBusBeat extends Bundle {
  val kind = UInt(FrameKind.width.W)
  val group = UInt(4.W)
  val source = UInt(5.W)
  val destination = UInt(5.W)
  val channel = UInt(BusChannel.width.W)
  val command = UInt(BusParams.mostCommandBits.W)
  val hasData = Bool()
  val last = Bool()
  val data = UInt(SimBusPins.mostWidthBits.W)
}

/** The harness's changes to the wires of one member; see [[hauberk.bus.BusTap]]. */
class SimBusTap extends Bundle {
  val replace = Bool()
  val valid = Bool()
  val grant = Bool()
  val beat = new SimBusBeat
}

/** The harness's view of the shared bus; see [[hauberk.bus.BusView]]. */
class SimBusView(val members: Int) extends Bundle {
  val tick = Bool()
  val taken = Bool()
  val shown = Bool()
  val beat = new SimBusBeat
  val requests = Vec(members, Bool())
  val offers = Vec(members, new SimBusBeat)
}

/** The pins of any shared bus: pins of absent hardware read as zero, and do nothing.
  *
  * @param members most members, the home node among them
  */
class SimBusPins(val members: Int) extends Bundle {
  val fuse = Input(new BusFusePins(members))
  val entropy = Flipped(Decoupled(UInt(64.W)))

  /** There is a shared bus. */
  val present = Output(Bool())
  val alarm = Output(new Bundle {
    val raised = Bool()
    val pid = UInt(5.W)
    val cause = UInt(BusAlarm.width.W)
  })
  val statistics = Output(new SharedBusStatistics)
  val taps = Input(Vec(members, new SimBusTap))
  val view = Output(new SimBusView(members))
  val announced = Output(Valid(new PadAnnouncement))

  /** Joins these pins to those of the configuration's shared bus, if it has one.
    *
    * @param wrappedKey the package's, from the boot header
    */
  def connect(bus: Option[SecureBusPins], wrappedKey: Vec[UInt]): Unit = {
    entropy.ready := false.B
    present := bus.isDefined.B
    alarm := 0.U.asTypeOf(alarm)
    statistics := 0.U.asTypeOf(new SharedBusStatistics)
    view := 0.U.asTypeOf(new SimBusView(members))
    announced := 0.U.asTypeOf(announced)
    bus.foreach { pins =>
      val p = pins.p
      require(
        p.members <= members && p.sharedBus.widthBits <= SimBusPins.mostWidthBits,
        s"the simulator has pins for a shared bus of $members members and ${SimBusPins.mostWidthBits} data lines, the configuration's " +
          s"has ${p.members} and ${p.sharedBus.widthBits}: use fewer"
      )
      pins.fuse.groupKey := fuse.groupKey
      pins.fuse.valid := fuse.valid
      for ((inner, outer) <- pins.fuse.deviceKeys.zip(fuse.deviceKeys)) { inner := outer }
      pins.entropy <> entropy
      pins.wrappedKey := wrappedKey
      announced := pins.announced
      alarm.raised := pins.alarm.raised
      alarm.pid := pins.alarm.pid
      alarm.cause := pins.alarm.cause
      statistics := pins.statistics
      for ((inner, outer) <- pins.taps.zip(taps)) {
        inner.replace := outer.replace
        inner.valid := outer.valid
        inner.grant := outer.grant
        SimBusPins.copy(outer.beat, inner.beat)
      }
      view.tick := pins.view.tick
      view.taken := pins.view.taken
      view.shown := pins.view.shown
      SimBusPins.copy(pins.view.beat, view.beat)
      for (pid <- 0 until p.members) {
        view.requests(pid) := pins.view.requests(pid)
        SimBusPins.copy(pins.view.offers(pid), view.offers(pid))
      }
    }
  }
}

/** Connects a bus of any width to pins of fixed width, which the harness reads. */
object SimBusPins {

  /** As many data lines as a line has bits. */
  val mostWidthBits = 512

  /** Field by field: the upper bits of a wider field are left out. */
  private def copy(from: Bundle, to: Bundle): Unit =
    for ((name, field) <- to.elements) { field := from.elements(name) }
}
