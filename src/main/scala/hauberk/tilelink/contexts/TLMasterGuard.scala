package hauberk.tilelink.contexts

import chisel3._
import chisel3.util.Valid
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.contexts._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._
import org.chipsalliance.diplomacy.lazymodule._

/** What the guards of one place ask of the table of owners, and tell. */
private[contexts] class GuardReport(val p: ContextParams, val guards: Int) extends Bundle {
  val pages = Vec(2 * guards, Valid(UInt(p.pageNumberBits.W)))
  val denials = Vec(guards, Valid(new Denial))
  val quiet = Output(Bool())
}

/** What they get. */
private[contexts] class GuardOrders(val p: ContextParams, val guards: Int) extends Bundle {
  val taken = Vec(2 * guards, Bool())
  val owners = Vec(2 * guards, UInt(p.ownerBits.W))
  val changed = Bool()
  val holds = Bool()
  val closed = Bool()
}

/** Stands before the coherence manager, and checks the accesses of all masters that pass no guard of [[TLContextGuards]]: DMA, serial TileLink, the debug
  * module, and tiles that were attached past the guards. They are in no context. Until microcode opens memory to them, they are denied all of it.
  *
  * @param shape  of the guards at the tiles
  * @param memory the memory whose pages have owners
  */
class TLMasterGuard(val shape: ContextParams, memory: OwnedMemory)(implicit p: Parameters) extends LazyModule
    with LazyScope {
  val node = TLAdapterNode(managerFn = memory.above)
  private var guards = Option.empty[TLContextGuards]
  private var bridges = Option.empty[(BundleBridgeSource[GuardReport], BundleBridgeSink[GuardOrders])]

  /** Ties this to the guards at the tiles, which have the table. */
  def connect(tiles: TLContextGuards): Unit = this {
    val report = BundleBridgeSource(() => new GuardReport(shape, node.edges.in.size))
    val orders = BundleBridgeSink[GuardOrders]()
    tiles.others(node, report, orders)
    guards = Some(tiles)
    bridges = Some((report, orders))
  }

  /** It passes no guard, and does not serve the microcode. */
  private def isOther(client: TLClientParameters): Boolean =
    !(guards.exists(_.guard(client)) || client.nodePath.exists(_.lazyModule.isInstanceOf[MicrocodeMaster]))

  lazy val module = new Impl

  /** A guard for each edge. */
  class Impl extends LazyModuleImp(this) {
    require(bridges.isDefined, TLContextGuards.noTile)
    private val (report, orders) = (bridges.get._1.bundle, bridges.get._2.bundle)
    private val here = node.in.zip(node.out).map { case (in, out) =>
      val caches = in._2.client.clients.filter(client => isOther(client) && client.isCache).map(_.name)
      require(
        caches.isEmpty,
        s"${caches.mkString(", ")} caches memory and is no tile behind a guard of secure contexts, so that nobody could empty it when a page changes its " +
          "owner: leave it out"
      )
      PortGuard.connect(shape, memory, in, out)(isOther)
    }
    for ((guard, i) <- here.zipWithIndex) {
      guard.io.principal := 0.U.asTypeOf(new Principal(shape))
      guard.io.holds := orders.holds
      guard.io.closed := orders.closed
      guard.io.changed := orders.changed
      report.denials(i) := guard.io.denial
      for ((lookup, j) <- Seq(guard.io.requestOwner, guard.io.releaseOwner).zipWithIndex) {
        report.pages(2 * i + j).valid := lookup.page.valid
        report.pages(2 * i + j).bits := lookup.page.bits
        lookup.page.ready := orders.taken(2 * i + j)
        lookup.owner := orders.owners(2 * i + j)
      }
    }
    report.quiet := here.map(_.io.quiet).foldLeft(true.B)(_ && _)
  }
}
