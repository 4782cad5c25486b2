package hauberk.tilelink

import chisel3._
import chisel3.util._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Pins on their way to the edge of the chip, and the clock they are of. */
class ClockedPins[T <: Data](val gen: () => T) extends Bundle {
  val clock = Output(Clock())
  val pins = gen()
}

/** Brings the pins of a module from deep in an SoC to whoever makes a sink of `node`, for [[Provisioning.BridgedPins]].
  *
  * @param gen the pins, as the module has them
  */
class ChipPins[T <: Data](gen: () => T)(implicit p: Parameters) extends LazyModule {
  val node = BundleBridgeSource(() => new ClockedPins(gen))

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val inner = IO(Flipped(gen()))
    node.bundle.pins <> inner
    node.bundle.clock := clock
  }
}

/** What a memory protector needs to know and its SoC must not: the device key, and random words. */
class ProtectorChipPins(implicit p: Parameters) extends ChipPins(() => new ProtectorPins)

/** What the units of a secure bus need to know and their SoC must not. */
class BusSecretPins(val members: Int) extends Bundle {
  val fuse = Input(new BusFusePins(members))
  val entropy = Flipped(Decoupled(UInt(64.W)))
}

/** The same, for the bus; its members are known only when its nodes are connected. */
class BusChipPins(members: () => Int)(implicit p: Parameters) extends ChipPins(() => new BusSecretPins(members()))
