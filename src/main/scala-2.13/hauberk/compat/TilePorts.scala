package hauberk.compat

import freechips.rocketchip.prci.{ClockCrossingType, ResetCrossingType}
import freechips.rocketchip.rocket.{RocketCoreParams, TracedInstruction}
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tile.{BaseTile, CoreParams, RocketTileParams, TileParams, TraceBundle}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLNode}
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.bundlebridge.BundleBridgeSink
import org.chipsalliance.diplomacy.lazymodule.{LazyModule, LazyScope}

/** The tiles' master ports, where they come to the system bus, under the name of this Rocket Chip. */
object TilePorts {
  type Context = Attachable

  /** Instructions that a tile retires in a cycle. */
  type Trace = Seq[TracedInstruction]

  /** Parameters that put a node between every tile and the system bus, on the bus's side of the tile's clock crossing.
    *
    * Wraps the way tiles are attached, so that it holds for tiles of any type. Fragments that match on these ways must stand right of it.
    *
    * @param where  whether the nodes are there at all, from what all fragments chose
    * @param traced is told, after `node` was called for a tile, the instructions that the tile retires; the tile and the system bus must share a clock
    */
  def interpose(
      kind: InterposedKind,
      node: Context => TLNode,
      traced: Option[(Context, () => Trace) => Unit] = None,
      where: View => Boolean = _ => true
  ): Parameters = Parameters((site, _, up) => { case TilesLocated(InSubsystem) =>
    val tiles = up(TilesLocated(InSubsystem))
    if (where(site)) tiles.map(insert(_, kind, node, traced)) else tiles
  })

  /** Parameters that tell of every tile of the system bus, when it and the buses are there; a tile and the system bus must share a clock.
    *
    * @param what what needs to know of them, for messages
    */
  def eachTile(what: String)(tell: (Context, BaseTile) => Unit): Parameters =
    Parameters((_, _, up) => { case TilesLocated(InSubsystem) =>
      up(TilesLocated(InSubsystem)).map(new Told(_, what, tell))
    })

  /** Whether a core takes interrupts that cannot be masked. */
  def takesNmis(core: CoreParams): Boolean = core.useNMI

  /** Whether a core has instructions of its own (SCIE): not in this Rocket Chip. */
  def hasCustomInstructions(core: CoreParams): Boolean = false

  /** Whether a core has the hypervisor extension. */
  def hasHypervisor(core: CoreParams): Boolean = core.useHypervisor

  /** Whether a tile writes where its core branches. */
  def hasTraceEncoder(tile: TileParams): Boolean = ofRocket(tile)(_.traceParams)

  /** Whether a tile has a unit that reports errors of its caches. */
  def hasBusErrorUnit(tile: TileParams): Boolean = ofRocket(tile)(_.beuAddr)

  /** Whether a Rocket tile has some unit. */
  private def ofRocket(tile: TileParams)(unit: RocketTileParams => Option[_]): Boolean = tile match {
    case rocket: RocketTileParams => unit(rocket).isDefined
    case _ => false
  }

  /** Parameters that give Rocket tiles to their right pipelined multipliers, whose time does not depend on what they multiply. */
  val pipelinedMultipliers: Parameters = Parameters((_, _, up) => { case TilesLocated(InSubsystem) =>
    up(TilesLocated(InSubsystem)).map(pipelined)
  })

  /** Rocket has a pipelined multiplier where one step does all bits. */
  private def pipelined(tile: CanAttachTile): CanAttachTile = tile match {
    case there: Interposed => new Interposed(pipelined(there.tile), there.kind, there.node, there.traced)
    case told: Told => told.on(pipelined(told.tile))
    case rocket: RocketTileAttachParams =>
      val core = rocket.tileParams.core
      rocket.copy(tileParams = rocket.tileParams.copy(core = core.copy(mulDiv = core.mulDiv.map(_.copy(mulUnroll = core.xLen)))))
    case other => other
  }

  /** The tile with one more node, in its kind's place. */
  private def insert(
      tile: CanAttachTile,
      kind: InterposedKind,
      node: Context => TLNode,
      traced: Option[(Context, () => Trace) => Unit]
  ): CanAttachTile = tile match {
    case there: Interposed =>
      require(
        there.kind != kind,
        s"there would be ${kind.name} twice, one behind the other: leave out one of the fragments that bring it, ${kind.fragment}; ${kind.changes} " +
          "change what is there"
      )
      if (there.kind.place > kind.place)
        new Interposed(insert(there.tile, kind, node, traced), there.kind, there.node, there.traced)
      else new Interposed(there, kind, node, traced)
    case told: Told => told.on(insert(told.tile, kind, node, traced))
    case bare => new Interposed(bare, kind, node, traced)
  }

  /** How many tiles there are, wherever they are attached; none where parameters do not say. */
  def tiles(implicit p: Parameters): Option[Int] = Some(p(NumTiles))

  /** How many tiles are in clusters, and have no port at the system bus. */
  def tilesInClusters(implicit p: View): Int = p(NumTiles) - p(TilesLocated(InSubsystem)).size

  /** The parameters of the tiles. */
  def tileParams(implicit p: View): Seq[TileParams] = p(TilesLocated(InSubsystem)).map(_.tileParams)

  /** Scope of the hardware behind the nodes: the system bus, whose clock it takes. */
  def scope(context: Context): LazyModule with LazyScope = context.locateTLBusWrapper(SBUS)

  /** The bus that the tiles are at. */
  def systemBus(context: Context): TLBusWrapper = context.locateTLBusWrapper(SBUS)

  /** The bus for control registers. */
  def controlBus(context: Context): TLBusWrapper = CoherencePoint.controlBus(context)

  /** A tile attached as `tile` says, but for the node at its master port. */
  private class Interposed(
      tile: CanAttachTile,
      val kind: InterposedKind,
      val node: Context => TLNode,
      val traced: Option[(Context, () => Trace) => Unit]
  ) extends AttachedTile(tile) {

    /** What a fragment that cannot match this tile says (scala.MatchError). */
    override def toString: String =
      s"a tile with ${kind.name}, which fragments to the left of ${kind.fragment} cannot change: put what changes tiles to the right of it"

    override val crossingParams: HierarchicalElementCrossingParamsLike = new HierarchicalElementCrossingParamsLike {
      private val crossing = tile.crossingParams
      def crossingType: ClockCrossingType = crossing.crossingType
      val master: HierarchicalElementPortParamsLike = new HierarchicalElementPortParamsLike {
        def where: TLBusWrapperLocation = crossing.master.where
        def injectNode(context: Attachable)(implicit p: Parameters): TLNode = {
          require(
            where == SBUS,
            s"a tile is attached to ${where.name}, not to the system bus, which ${kind.name} stands before: attach it there"
          )
          node(context) :=* crossing.master.injectNode(context)
        }
      }
      def slave: HierarchicalElementPortParamsLike = crossing.slave
      def mmioBaseAddressPrefixWhere: TLBusWrapperLocation = crossing.mmioBaseAddressPrefixWhere
      def resetCrossingType: ResetCrossingType = crossing.resetCrossingType
      def forceSeparateClockReset: Boolean = crossing.forceSeparateClockReset
    }

    override def connectTrace(domain: Domain, context: TileContextType): Unit = {
      super.connectTrace(domain, context)
      traced.foreach { tell =>
        requireSynchronous(s"${kind.name}, which must know in which cycle the tile's caches become empty")
        require(
          tile.tileParams.core match {
            case core: RocketCoreParams => core.debugROB.isEmpty
            case _ => false
          },
          s"a tile that may report FENCE.I later than it empties its instruction cache, and ${kind.name}: use Rocket tiles, without WithDebugROB"
        )
        context.traceNodes(domain.element.tileId) match {
          case sink: BundleBridgeSink[TraceBundle @unchecked] => tell(context, () => sink.bundle.insns)
          case _ => throw new Refusal(Seq(s"a tile in a cluster, and ${kind.name}: attach the tile to the system bus"))
        }
      }
    }
  }

  /** A tile attached as `tile` says, and told of. */
  private class Told(tile: CanAttachTile, what: String, val tell: (Context, BaseTile) => Unit)
      extends AttachedTile(tile) {
    def on(other: CanAttachTile): Told = new Told(other, what, tell)
    override def connectTrace(domain: Domain, context: TileContextType): Unit = {
      super.connectTrace(domain, context)
      requireSynchronous(what)
      tell(context, domain.element)
    }
  }
}
