package hauberk.compat

import freechips.rocketchip.subsystem.{COH, HasTileLinkLocations, SubsystemBankedCoherenceKey, TLBusWrapperLocation}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLNode}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, whatever this Rocket Chip calls it: nothing cached passes by another way. */
object CoherencePoint {
  type Context = HasTileLinkLocations

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: Parameters): Int = p(SubsystemBankedCoherenceKey).nBanks

  /** Parameters that put a node between the coherence manager and the memory bus. */
  def interpose(node: Context => TLNode): Parameters = Parameters((_, _, up) => { case SubsystemBankedCoherenceKey =>
    val previous = up(SubsystemBankedCoherenceKey)
    previous.copy(coherenceManager = { context =>
      implicit val p: Parameters = context.p
      val (in, out, halt) = previous.coherenceManager(context)
      val interposed = node(context)
      interposed :*= out
      (in, interposed, halt)
    })
  })

  /** Where [[interpose]] ran: the coherence manager's wrapper, whose children the interposed nodes' modules are. */
  def interposed(context: Context): Seq[LazyModule] = context.tlBusWrapperLocationMap.get(COH).toSeq.flatMap(_.getChildren)

  def bus(context: Context, location: TLBusWrapperLocation): TLBusWrapper =
    context.tlBusWrapperLocationMap.getOrElse(
      location,
      throw new IllegalArgumentException(
        s"requirement failed: there is no bus ${location.name} here: use a bus topology that has one"
      )
    )
}
