package hauberk.tilelink.exports

import chisel3._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.tilelink.common.{Join, ReadsForTiles}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** Stands before the coherence manager, so that all who read protected memory do so through it. Tiles whose requests pass a [[TLRequestGates]] may use
  * what is not verified yet, and so may a master that [[hauberk.tilelink.common.ReadsForTiles reads for them]]; all other masters get their data when these are verified: DMA, serial TileLink, the debug module, and tiles that were
  * attached past the gates.
  *
  * It also brings the state of exports to the tiles' gates, and their wish for a check to the protector.
  */
class TLDataGate(implicit p: Parameters) extends LazyModule with LazyScope {
  val node =
    TLAdapterNode(managerFn = port => port.v1copy(managers = port.managers.map(_.v1copy(mayDenyGet = true))))
  private var remote = Seq.empty[(BundleBridgeSource[ExportState], BundleBridgeSink[Bool])]

  /** Ties the gates of tiles to this. */
  def connect(gates: TLRequestGates): Unit = this {
    val exports = BundleBridgeSource(() => new ExportState)
    val check = BundleBridgeSink[Bool]()
    gates.exports := exports
    check := gates.check
    remote = remote :+ ((exports, check))
  }

  lazy val module = new Impl

  /** A gate for each edge with masters that need one. */
  class Impl extends LazyModuleImp(this) {
    val exports = IO(Input(new ExportState))

    /** Please verify what was read until now, for one cycle. */
    val check = IO(Output(Bool()))

    private val reRoCC =
      node.in.flatMap(_._2.client.clients).filter(_.nodePath.exists(n => TLDataGate.isReRoCC(n.lazyModule)))
    require(
      reRoCC.isEmpty,
      s"${reRoCC.map(_.name).mkString(", ")}: accelerators of ReRoCC get operands by a bus without gates: leave out WithReRoCC, or use a scheme that " +
        "verifies before use, such as WithBonsaiTreeBlocking"
    )
    private val checks = node.in.zip(node.out).map { case ((in, edgeIn), (out, _)) =>
      Join(in.b, out.b)
      Join(out.c, in.c)
      Join(out.e, in.e)
      val exporters = edgeIn.client.clients.filterNot(_.nodePath.exists(n => TLDataGate.usesUnverified(n.lazyModule)))
      if (exporters.isEmpty) {
        Join(out.a, in.a)
        Join(in.d, out.d)
        false.B
      } else {
        val gate = Module(new DataGate(edgeIn, exporters.map(_.sourceId), TLDataGate.blocks))
        gate.io.exports := exports
        Join(gate.io.request.in, in.a)
        Join(out.a, gate.io.request.out)
        Join(gate.io.response.in, out.d)
        Join(in.d, gate.io.response.out)
        gate.io.check
      }
    }
    remote.foreach { case (source, _) => source.bundle := exports }
    check := (checks ++ remote.map { case (_, sink) => sink.bundle }).foldLeft(false.B)(_ || _)
  }
}

private[exports] object TLDataGate {

  /** Requests under way of masters whose data are held: one is answered while the next is verified. */
  val blocks = 2

  /** What it reads leaves through the gates of tiles, if at all. */
  private def usesUnverified(module: LazyModule): Boolean = module match {
    case _: TLRequestGates | _: ReadsForTiles => true
    case _ => false
  }
  private def isReRoCC(module: LazyModule): Boolean =
    (module +: module.parents).exists(_.getClass.getName.startsWith("rerocc."))
}
