package hauberk.tilelink.common

import chisel3._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Pins on their way to the edge of the chip, and the clock they are of. */
class ClockedPins[T <: Data](val gen: () => T) extends Bundle {
  val clock = Output(Clock())
  val pins = gen()
}

/** Brings the pins of a module from deep in an SoC to any sink of `node`, for [[Provisioning.Punchthrough]].
  *
  * @param gen the pins, as the module has them
  */
class ChipPins[T <: Data](gen: () => T)(implicit p: Parameters) extends LazyModule {
  val node = BundleBridgeSource(() => new ClockedPins(gen))

  lazy val module = new Impl

  /** Connects the pins of the module inside to the bundle bridge, with this domain's clock. */
  class Impl extends LazyModuleImp(this) {
    val inner = IO(Flipped(gen()))
    node.bundle.pins <> inner
    node.bundle.clock := clock
  }
}
