package hauberk.tilelink

import freechips.rocketchip.tilelink._
import hauberk.compat._
import org.chipsalliance.diplomacy.lazymodule._

/** What stands at the master ports of tiles, with a node for each of them. */
private[tilelink] trait AtTilePorts { this: LazyModule with LazyScope =>
  protected var ports: Seq[TLAdapterNode] = Nil

  /** What tiles may do with a manager past this. */
  protected def seen(manager: TLManagerParameters): TLManagerParameters

  /** A node to put at the master port of one more tile; it has as many edges as the tile. */
  def port(): TLNode = this {
    val node = TLAdapterNode(managerFn =
      port =>
        port.v1copy(
          managers = port.managers.map(seen),
          endSinkId = port.endSinkId,
          minLatency = port.minLatency
        )
    )
    ports = ports :+ node
    node
  }

  /** Tiles that have a node here. */
  def tiles: Int = ports.size
}
