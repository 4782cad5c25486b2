package hauberk.compat

import freechips.rocketchip.subsystem._
import freechips.rocketchip.tilelink.{TLBusWrapper, TLBusWrapperTopology, TLNode}
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, under the name of this Rocket Chip: nothing cached passes by another way. */
object CoherencePoint {
  type Context = HasTileLinkLocations

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: View): Int = p(SubsystemBankedCoherenceKey).nBanks

  /** Parameters that put a node between the coherence manager and the memory bus. */
  def interpose(kind: CoherenceKind)(node: Context => TLNode): Parameters = Parameters((_, _, up) => { case SubsystemBankedCoherenceKey =>
    val previous = up(SubsystemBankedCoherenceKey)
    previous.copy(coherenceManager = InterposedManager(previous.coherenceManager, kind) { (context, out) =>
      implicit val p: Parameters = context.p
      val interposed = node(context)
      interposed :*= out
      interposed
    })
  })

  /** Why a node of [[interpose]] would be missing without a word: in a bus topology without a coherence manager nobody puts it there, nor where
    * something further left chose another manager.
    */
  def unattached(kind: CoherenceKind)(implicit p: View): Seq[String] = {
    val buses = p(TLNetworkTopologyLocated(InSubsystem)).collect { case part: TLBusWrapperTopology =>
      part.instantiations.map(_._1.name)
    }.flatten
    Refusal.broken(
      buses.contains(COH.name) ->
        (s"there is no coherence manager, only ${buses.mkString(", ")}: use a coherent bus topology with at least one bank " +
          "(WithCoherentBusTopology, WithNBanks)")
    ) ++ InterposedManager.unattached(p(SubsystemBankedCoherenceKey).coherenceManager, kind)
  }

  /** Whether DRAM can also be reached at other addresses, past the coherence manager or behind it. */
  def hasBypass(implicit p: View): Boolean =
    p(ExtMem).exists(_.incohBase.isDefined) || p(MemoryBusKey).replication.isDefined

  /** Where [[interpose]] ran: the coherence manager's wrapper, whose children the interposed nodes' modules are. */
  def interposed(context: Context): Seq[LazyModule] =
    context.tlBusWrapperLocationMap.get(COH).toSeq.flatMap(_.getChildren)

  def bus(context: Context, location: TLBusWrapperLocation): TLBusWrapper =
    context.tlBusWrapperLocationMap.getOrElse(
      location,
      throw new Refusal(Seq(s"there is no bus ${location.name} here: use a bus topology that has one"))
    )
}
