package hauberk.compat

import freechips.rocketchip.devices.tilelink.{CanHavePeripheryPLIC, PLICKey}
import freechips.rocketchip.interrupts.{IntOutwardNode, IntSinkNode, IntSinkPortSimple}
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tilelink.{TLBusWrapper, TLBusWrapperTopology, TLManagerParameters}
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** The memory side of the coherence manager, under the name of this Rocket Chip: nothing cached passes by another way. */
object CoherencePoint {
  type Context = HasTileLinkLocations

  /** Number of banks: edges an interposed node has. None means there is no coherence manager and nothing to interpose on. */
  def banks(implicit p: View): Int = p(SubsystemBankedCoherenceKey).nBanks

  /** Parameters that put a node between the coherence manager and the memory bus, and possibly one before the manager. */
  def interpose(kind: CoherenceKind)(nodes: Context => Interposition): Parameters = Parameters((_, _, up) => { case SubsystemBankedCoherenceKey =>
    val previous = up(SubsystemBankedCoherenceKey)
    previous.copy(coherenceManager = InterposedManager(previous.coherenceManager, kind) { (context, in, out) =>
      implicit val p: Parameters = context.p
      val interposed = nodes(context)
      interposed.behind :*= out
      (InterposedManager.before(in, interposed.before), interposed.behind)
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

  /** The modules of what stands at the tiles' ports, as far as tiles are attached. */
  def atTiles(context: Context): Seq[LazyModule] = context.tlBusWrapperLocationMap.get(SBUS).toSeq.flatMap(_.getChildren)

  /** What the tiles can reach. Known once the nodes are connected. */
  def systemBusManagers(context: Context): Seq[TLManagerParameters] =
    context.tlBusWrapperLocationMap.get(SBUS).toSeq.flatMap(_.busView.manager.managers)

  /** The bus for control registers: the control bus, or what takes its place where there is none. */
  def controlBus(context: Context): TLBusWrapper = Seq(CBUS, PBUS, SBUS).flatMap(context.tlBusWrapperLocationMap.get(_)).headOption.getOrElse(
      throw new Refusal(Seq("there is no bus for control registers here: use a bus topology with a system bus"))
    )

  /** Ties an interrupt to the subsystem's interrupt controller. Nobody hears it where there is none. */
  def interrupt(context: Context, source: IntOutwardNode)(implicit p: Parameters): Unit = context match {
    case subsystem: CanHavePeripheryPLIC if p(PLICKey).isDefined => subsystem.ibus.fromSync := source
    case _ =>
      val nobody = IntSinkNode(IntSinkPortSimple())
      nobody := source
  }
}
