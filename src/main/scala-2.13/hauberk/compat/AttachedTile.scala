package hauberk.compat

import freechips.rocketchip.prci.SynchronousCrossing
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tile.{TileParams, TilePRCIDomain}
import org.chipsalliance.cde.config.Parameters
import scala.collection.immutable.SortedMap

/** A tile attached as another one says, whatever its type: what changes a step overrides it. */
private[compat] abstract class AttachedTile(val tile: CanAttachTile) extends CanAttachTile {
  type TileType = tile.TileType
  type TileContextType = tile.TileContextType
  type Domain = TilePRCIDomain[TileType]
  def tileParams = tile.tileParams
  val crossingParams: HierarchicalElementCrossingParamsLike = tile.crossingParams
  override def instantiate(allTileParams: Seq[TileParams], instantiatedTiles: SortedMap[Int, TilePRCIDomain[_]])(
      implicit p: Parameters
  ): Domain = tile.instantiate(allTileParams, instantiatedTiles)
  override def connectSlavePorts(domain: Domain, context: Attachable): Unit = tile.connectSlavePorts(domain, context)
  override def connectInterrupts(domain: Domain, context: TileContextType): Unit =
    tile.connectInterrupts(domain, context)
  override def connectPRC(domain: Domain, context: TileContextType): Unit = tile.connectPRC(domain, context)
  override def connectOutputNotifications(domain: Domain, context: TileContextType): Unit =
    tile.connectOutputNotifications(domain, context)
  override def connectInputConstants(domain: Domain, context: TileContextType): Unit =
    tile.connectInputConstants(domain, context)
  override def connectTrace(domain: Domain, context: TileContextType): Unit = tile.connectTrace(domain, context)

  /** @param what needs the clock of the system bus, for the message */
  protected def requireSynchronous(what: String): Unit = require(
    tile.crossingParams.crossingType.isInstanceOf[SynchronousCrossing],
    s"a tile with a clock of its own, and $what: attach the tile synchronously"
  )
}
