package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.tilelink.common.{Join, TilePortNodes}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Gates at the master ports of tiles, which may use data that are not verified yet: requests that may leave the chip wait until these are
  * ([[RequestGate]]). To be tied to the [[TLDataGate]] before the coherence manager.
  */
class TLRequestGates(implicit p: Parameters) extends LazyModule with TilePortNodes {
  val exports = BundleBridgeSink[ExportState]()

  /** Please verify what was read until now, for one cycle. */
  val check = BundleBridgeSource(() => Bool())

  protected def seen(manager: TLManagerParameters): TLManagerParameters =
    if (Destinations.isGuarded(manager)) manager else manager.v1copy(mayDenyGet = true, mayDenyPut = true)

  lazy val module = new Impl

  /** A gate for each edge of a tile. */
  class Impl extends LazyModuleImp(this) {
    private val checks = for {
      port <- ports
      ((in, edgeIn), (out, edgeOut)) <- port.in.zip(port.out)
    } yield {
      val gate = Module(new RequestGate(edgeIn, new Destinations(edgeOut.manager.managers)))
      gate.io.exports := exports.bundle
      Join(gate.io.in, in.a)
      Join(out.a, gate.io.out)
      Join(in.b, out.b)
      Join(out.c, in.c)
      Join(out.e, in.e)
      TLArbiter.robin(edgeIn, in.d, out.d, gate.io.answer)
      gate.io.check
    }
    check.bundle := checks.foldLeft(false.B)(_ || _)
  }
}
