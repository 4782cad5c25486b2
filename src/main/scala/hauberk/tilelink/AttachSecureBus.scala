package hauberk.tilelink

import freechips.rocketchip.subsystem.{CBUS, CacheBlockBytes}
import freechips.rocketchip.tilelink.{TLFragmenter, TLNode}
import hauberk.compat.TilePorts
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Puts one secure bus between all tiles of a subsystem and its system bus. */
object AttachSecureBus {

  /** The node for one more tile. The first call makes the bus, and ties its registers to the subsystem. */
  def apply(context: TilePorts.Context, params: SecureBusParams): TLNode =
    in(context).getOrElse(make(context, params)).port()

  /** The secure bus of a subsystem, if it has one. */
  def in(context: TilePorts.Context): Option[TLSecureBus] =
    TilePorts.scope(context).getChildren.collectFirst { case bus: TLSecureBus => bus }

  private def make(context: TilePorts.Context, params: SecureBusParams): TLSecureBus = {
    implicit val p: Parameters = context.p
    val controlBus = TilePorts.bus(context, CBUS)
    val made = TilePorts.scope(context) {
      val secure_bus = LazyModule(new TLSecureBus(params, p(CacheBlockBytes), controlBus.beatBytes))
      secure_bus
    }
    controlBus.coupleTo("secure_bus") { made.controlNode := TLFragmenter(controlBus) := _ }
    made
  }
}
