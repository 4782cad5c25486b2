package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.bus._
import hauberk.tilelink.common.Provisioning

/** The fuses of the bus: they hold the key of group 0, which every member has, and the device key of each member, by PID, under which keys
  * of other groups come. They are `valid` from some moment on for good.
  */
class BusFusePins(val members: Int) extends Bundle {
  val groupKey = UInt(128.W)
  val deviceKeys = Vec(members, UInt(128.W))
  val valid = Bool()

  /** Holds the keys of a simulator or a study. */
  def useTestKeys(source: Provisioning.TestKeys): Unit = {
    groupKey := source.key(0).U
    deviceKeys.zipWithIndex.foreach { case (key, pid) => key := source.key(1 + pid).U }
    valid := true.B
  }
}

/** The bus's first alarm. */
class BusAlarmPins(val p: BusParams) extends Bundle {
  val raised = Bool()

  /** The member that raised it first, and the cause: a code of [[hauberk.bus.BusAlarm]]. */
  val pid = UInt(p.pidBits.W)
  val cause = UInt(BusAlarm.width.W)
}

/** A tile encrypts a block for memory: its PID and the counter. Not secret: members receive it on the shared bus. */
class PadAnnouncement extends Bundle {
  val block = UInt(32.W)
  val writer = UInt(5.W)
  val count = UInt(48.W)
}

/** Finds the announcement in a beat of the shared bus, in the same cycle. */
object PadAnnouncement {

  /** The announcement on a shared bus in this cycle; never valid where no tile encrypts for memory. */
  def apply(p: BusParams, view: BusView): Valid[PadAnnouncement] = {
    val announced = WireInit(0.U.asTypeOf(Valid(new PadAnnouncement)))
    for (pads <- p.pads) {
      val said = view.beat.command.asTypeOf(new PadMessage(pads))
      val encrypts = said.kind === PadMessage.invalidate.U || said.kind === PadMessage.update.U
      announced.valid := view.taken && view.beat.kind === FrameKind.pad.U && encrypts
      announced.bits.block := said.block
      announced.bits.writer := view.beat.source
      announced.bits.count := said.count
    }
    announced
  }
}

/** Pins of a secure bus that do not go to a bus. */
class SecureBusPins(val p: BusParams) extends Bundle {
  val fuse = Input(new BusFusePins(p.members))
  val entropy = Flipped(Decoupled(UInt(64.W)))

  /** The key of the program package, for tiles that encrypt for memory, wrapped under the device key of each. */
  val wrappedKey = Input(Vec(3, UInt(64.W)))
  val alarm = Output(new BusAlarmPins(p))
  val statistics = Output(new SharedBusStatistics)

  /** The tamper port: the shared bus's wires, by PID. Zero leaves them as they are. */
  val taps = Input(Vec(p.members, new BusTap(p)))
  val view = Output(new BusView(p))
  val announced = Output(Valid(new PadAnnouncement))
}
