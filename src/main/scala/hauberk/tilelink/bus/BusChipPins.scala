package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.tilelink.common.ChipPins
import org.chipsalliance.cde.config.Parameters

/** Secrets that the units of a secure bus need and the SoC must not know. */
class BusSecretPins(val members: Int) extends Bundle {
  val fuse = Input(new BusFusePins(members))
  val entropy = Flipped(Decoupled(UInt(64.W)))
}

/** The pins of a secure bus, at the edge of the chip; its members are known only when its nodes are connected. */
class BusChipPins(members: () => Int)(implicit p: Parameters) extends ChipPins(() => new BusSecretPins(members()))
