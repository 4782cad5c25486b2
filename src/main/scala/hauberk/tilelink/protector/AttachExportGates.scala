package hauberk.tilelink.protector

import chisel3._
import freechips.rocketchip.tilelink.TLNode
import hauberk.compat.{CoherencePoint, TilePorts}
import hauberk.tilelink.exports.{TLDataGate, TLRequestGates}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** Puts export gates into a subsystem whose memory protector speculates: before its coherence manager, and at the master ports of its tiles. */
object AttachExportGates {

  /** Whether there must be gates. */
  def wanted(p: View): Boolean = p(MemoryProtectionKey).exists(_.speculates)

  /** The node for one more tile. The first call makes what all tiles share. */
  def apply(context: TilePorts.Context): TLNode =
    TilePorts.scope(
      context
    ).getChildren.collectFirst { case gates: TLRequestGates => gates }.getOrElse(make(context)).port()

  private def make(context: TilePorts.Context): TLRequestGates = {
    implicit val p: Parameters = context.p
    val export_gates = TilePorts.scope(context) {
      val export_gates = LazyModule(new TLRequestGates)
      export_gates
    }
    CoherencePoint.interposed(context).collectFirst { case gate: TLDataGate => gate.connect(export_gates) }
    export_gates
  }

  /** The gate before the coherence manager, tied to the protector. To be called in the scope that the protector is in. Tiles may have been attached
    * before.
    */
  private[protector] def before(
      context: CoherencePoint.Context,
      protector: TLMemoryProtector,
      params: MemoryProtectorParams
  )(implicit p: Parameters): Option[TLNode] = {
    val gate = if (params.speculates) Some(LazyModule(new TLDataGate).suggestName("data_gate")) else None
    gate.foreach { data =>
      CoherencePoint.atTiles(context).collectFirst { case gates: TLRequestGates => data.connect(gates) }
    }
    InModuleBody {
      gate.foreach(_.module.exports := protector.module.exports)
      protector.module.checkForExport := gate.fold(false.B)(_.module.check)
    }
    gate.map(_.node)
  }
}
