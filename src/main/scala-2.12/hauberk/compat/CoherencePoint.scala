package hauberk.compat

import freechips.rocketchip.subsystem.{BankedL2Key, BaseSubsystem, BaseSubsystemBusAttachment}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLNode}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, under the name of this Rocket Chip: nothing cached passes by another way. */
object CoherencePoint {
  type Context = BaseSubsystem

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: View): Int = p(BankedL2Key).nBanks

  /** Parameters that put a node between the coherence manager and the memory bus. */
  def interpose(kind: CoherenceKind)(node: Context => TLNode): Parameters = Parameters((site, _, up) => {
    case BankedL2Key =>
      val previous = up(BankedL2Key, site)
      previous.copy(coherenceManager = InterposedManager(previous.coherenceManager, kind) { (context, out) =>
        implicit val p: Parameters = context.p
        val interposed = node(context)
        interposed :*=* out
        interposed
      })
  })

  /** Why a node of [[interpose]] would be missing without a word. */
  def unattached(kind: CoherenceKind)(implicit p: View): Seq[String] =
    InterposedManager.unattached(p(BankedL2Key).coherenceManager, kind)

  /** Whether DRAM can also be reached past the coherence manager, at other addresses: not in this Rocket Chip. */
  def hasBypass(implicit p: View): Boolean = false

  /** Where [[interpose]] ran: the subsystem, whose children the interposed nodes' modules are. */
  def interposed(context: Context): Seq[LazyModule] = context.getChildren

  def bus(context: Context, location: BaseSubsystemBusAttachment): TLBusWrapper = context.attach(location)
}
