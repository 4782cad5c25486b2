package hauberk.compat

import freechips.rocketchip.prci.{ClockCrossingType, ResetCrossingType}
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tile.TilePRCIDomain
import freechips.rocketchip.tile.TileParams
import freechips.rocketchip.tilelink.{TLBusWrapper, TLNode}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule.{LazyModule, LazyScope}
import scala.collection.immutable.SortedMap

/** The tiles' master ports, where they come to the system bus, whatever this Rocket Chip calls it. */
object TilePorts {
  type Context = Attachable

  /** Parameters that put a node between every tile and the system bus, on the bus's side of the tile's clock crossing.
    *
    * Wraps the way tiles are attached, so that it holds for tiles of any type. What matches on these ways must stand right of it.
    */
  def interpose(node: Context => TLNode): Parameters = Parameters((_, _, up) => {
    case TilesLocated(InSubsystem) =>
      val tiles = up(TilesLocated(InSubsystem))
      require(
        !tiles.exists(_.isInstanceOf[Interposed]),
        "there would be two secure buses, one behind the other: leave out one of the fragments that bring one (WithSecureBus, WithSenss); WithBus " +
          "and WithBusSecurity change the one there is"
      )
      tiles.map(new Interposed(_, node))
  })

  /** How many tiles there are, wherever they are attached; none where parameters do not say. */
  def tiles(implicit p: Parameters): Option[Int] = Some(p(NumTiles))

  /** What holds the hardware behind the nodes: the system bus, whose clock it takes. */
  def scope(context: Context): LazyModule with LazyScope = context.locateTLBusWrapper(SBUS)

  def bus(context: Context, location: TLBusWrapperLocation): TLBusWrapper = context.locateTLBusWrapper(location)

  /** A tile attached as `tile` says, but for the node at its master port. */
  private class Interposed(val tile: CanAttachTile, node: Context => TLNode) extends CanAttachTile {
    type TileType = tile.TileType
    type TileContextType = tile.TileContextType
    def tileParams = tile.tileParams
    val crossingParams: HierarchicalElementCrossingParamsLike = new HierarchicalElementCrossingParamsLike {
      private val crossing = tile.crossingParams
      def crossingType: ClockCrossingType = crossing.crossingType
      val master: HierarchicalElementPortParamsLike = new HierarchicalElementPortParamsLike {
        def where: TLBusWrapperLocation = crossing.master.where
        def injectNode(context: Attachable)(implicit p: Parameters): TLNode = {
          require(
            where == SBUS,
            s"a tile is attached to ${where.name}, not to the system bus, which the secure bus stands before: attach it there"
          )
          node(context) :=* crossing.master.injectNode(context)
        }
      }
      def slave: HierarchicalElementPortParamsLike = crossing.slave
      def mmioBaseAddressPrefixWhere: TLBusWrapperLocation = crossing.mmioBaseAddressPrefixWhere
      def resetCrossingType: ResetCrossingType = crossing.resetCrossingType
      def forceSeparateClockReset: Boolean = crossing.forceSeparateClockReset
    }

    private type Domain = TilePRCIDomain[TileType]
    override def instantiate(
        allTileParams: Seq[TileParams],
        instantiatedTiles: SortedMap[Int, TilePRCIDomain[_]]
    )(implicit p: Parameters): TilePRCIDomain[TileType] = tile.instantiate(allTileParams, instantiatedTiles)
    override def connectSlavePorts(domain: Domain, context: Attachable): Unit = tile.connectSlavePorts(domain, context)
    override def connectInterrupts(domain: Domain, context: TileContextType): Unit =
      tile.connectInterrupts(domain, context)
    override def connectPRC(domain: Domain, context: TileContextType): Unit = tile.connectPRC(domain, context)
    override def connectOutputNotifications(domain: Domain, context: TileContextType): Unit =
      tile.connectOutputNotifications(domain, context)
    override def connectInputConstants(domain: Domain, context: TileContextType): Unit =
      tile.connectInputConstants(domain, context)
    override def connectTrace(domain: Domain, context: TileContextType): Unit = tile.connectTrace(domain, context)
  }
}
