package hauberk.compat

import freechips.rocketchip.subsystem._
import freechips.rocketchip.tilelink.{TLBusWrapper, TLBusWrapperTopology, TLNode}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, whatever this Rocket Chip calls it: nothing cached passes by another way. */
object CoherencePoint {
  type Context = HasTileLinkLocations

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: Parameters): Int = p(SubsystemBankedCoherenceKey).nBanks

  /** Parameters that put a node between the coherence manager and the memory bus. Who asks for the external memory is refused it if nobody
    * would put the node there: in a bus topology without a coherence manager, or where something further left chose another one. The node
    * would be missing without a word.
    */
  def interpose(node: Context => TLNode): Parameters = Parameters((site, _, up) => {
    case SubsystemBankedCoherenceKey =>
      val previous = up(SubsystemBankedCoherenceKey)
      previous.copy(coherenceManager = InterposedManager(previous.coherenceManager) { (context, out) =>
        implicit val p: Parameters = context.p
        val interposed = node(context)
        interposed :*= out
        interposed
      })
    case ExtMem =>
      val buses = site(TLNetworkTopologyLocated(InSubsystem)).collect { case part: TLBusWrapperTopology =>
        part.instantiations.map(_._1.name)
      }.flatten
      require(
        buses.contains(COH.name),
        s"there is no coherence manager, only ${buses.mkString(", ")}: use a coherent bus topology with at least one bank " +
          "(WithCoherentBusTopology, WithNBanks)"
      )
      require(
        InterposedManager.is(site(SubsystemBankedCoherenceKey).coherenceManager),
        "a memory protector is configured but something replaced the coherence manager it wraps: put WithMemoryProtection leftmost"
      )
      up(ExtMem)
  })

  /** Whether DRAM can also be reached at other addresses, past the coherence manager or behind it. */
  def hasBypass(implicit p: Parameters): Boolean =
    p(ExtMem).exists(_.incohBase.isDefined) || p(MemoryBusKey).replication.isDefined

  /** Where [[interpose]] ran: the coherence manager's wrapper, whose children the interposed nodes' modules are. */
  def interposed(context: Context): Seq[LazyModule] =
    context.tlBusWrapperLocationMap.get(COH).toSeq.flatMap(_.getChildren)

  def bus(context: Context, location: TLBusWrapperLocation): TLBusWrapper =
    context.tlBusWrapperLocationMap.getOrElse(
      location,
      throw new IllegalArgumentException(
        s"requirement failed: there is no bus ${location.name} here: use a bus topology that has one"
      )
    )
}
