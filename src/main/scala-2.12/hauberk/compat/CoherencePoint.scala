package hauberk.compat

import freechips.rocketchip.devices.tilelink.{CanHavePeripheryPLIC, PLICKey}
import freechips.rocketchip.interrupts.{IntOutwardNode, IntSinkNode, IntSinkPortSimple}
import freechips.rocketchip.subsystem.{BankedL2Key, BaseSubsystem, CBUS}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLManagerParameters}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, under the name of this Rocket Chip: nothing cached passes by another way. */
object CoherencePoint {
  type Context = BaseSubsystem

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: View): Int = p(BankedL2Key).nBanks

  /** Parameters that put a node between the coherence manager and the memory bus, and possibly one before the manager. */
  def interpose(kind: CoherenceKind)(nodes: Context => Interposition): Parameters = Parameters((site, _, up) => {
    case BankedL2Key =>
      val previous = up(BankedL2Key, site)
      previous.copy(coherenceManager = InterposedManager(previous.coherenceManager, kind) { (context, in, out) =>
        implicit val p: Parameters = context.p
        val interposed = nodes(context)
        interposed.behind :*=* out
        (InterposedManager.before(in, interposed.before), interposed.behind)
      })
  })

  /** Why a node of [[interpose]] would be missing without a word. */
  def unattached(kind: CoherenceKind)(implicit p: View): Seq[String] =
    InterposedManager.unattached(p(BankedL2Key).coherenceManager, kind)

  /** Whether DRAM can also be reached past the coherence manager, at other addresses: not in this Rocket Chip. */
  def hasBypass(implicit p: View): Boolean = false

  /** Where [[interpose]] ran: the subsystem, whose children the interposed nodes' modules are. */
  def interposed(context: Context): Seq[LazyModule] = context.getChildren

  /** The modules of what stands at the tiles' ports, as far as tiles are attached. */
  def atTiles(context: Context): Seq[LazyModule] = context.getChildren

  /** What the tiles can reach. Known once the nodes are connected. */
  def systemBusManagers(context: Context): Seq[TLManagerParameters] = context.sbus.busView.manager.managers

  /** The bus for control registers: the control bus, or what takes its place where there is none. */
  def controlBus(context: Context): TLBusWrapper = context.attach(CBUS)

  /** Ties an interrupt to the subsystem's interrupt controller. Nobody hears it where there is none. */
  def interrupt(context: Context, source: IntOutwardNode)(implicit p: Parameters): Unit = context match {
    case subsystem: CanHavePeripheryPLIC if p(PLICKey).isDefined => subsystem.ibus.fromSync := source
    case _ =>
      val nobody = IntSinkNode(IntSinkPortSimple())
      nobody := source
  }
}
