package hauberk.tilelink.common

import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** Stands at the master ports of tiles, with a node for each of them. */
trait TilePortNodes extends LazyScope { this: LazyModule =>
  protected var ports: Seq[TLAdapterNode] = Nil

  /** A manager as tiles see it past this node. */
  protected def seen(manager: TLManagerParameters): TLManagerParameters

  /** All managers as tiles see them. */
  protected def above(port: TLManagerPortParameters): TLManagerPortParameters =
    port.v1copy(managers = port.managers.map(seen))

  /** A node to put at the master port of one more tile; it has as many edges as the tile. */
  def port(): TLNode = this {
    val node = TLAdapterNode(managerFn = above)
    ports = ports :+ node
    node
  }

  /** Tiles that have a node here. */
  def tiles: Int = ports.size
}

/** A device with registers that stands at the master ports of tiles.
  *
  * @param device    its name in the device tree
  * @param address   of its registers
  * @param beatBytes width in bytes of the bus of the registers
  */
abstract class AtTilePorts(device: String, address: BigInt, beatBytes: Int)(implicit p: Parameters)
    extends LazyModule
    with TilePortNodes
    with QuietRegisters {
  val controlNode = TLRegisterNode(
    RegisterMap.block(address),
    new SimpleDevice(device, Seq(s"hauberk,$device")),
    beatBytes = beatBytes
  )
}

/** The check that every tile has its node. */
private[tilelink] object AtTilePorts {

  /** The error that tiles are in clusters: they get no node, and if all are, there is no hardware at all.
    *
    * @param what     what stands at the ports of tiles
    * @param fragment fragment that attaches it
    */
  def complaints(what: String, fragment: String)(implicit p: View): Seq[String] = {
    val inClusters = TilePorts.tilesInClusters
    Refusal.broken(
      (inClusters == 0) ->
        (s"$inClusters tiles are in clusters, and $what does not reach them: attach them to the system bus (leave WithCluster out), or leave $fragment out")
    )
  }

  /** Refuses, once all is attached, that a tile of the subsystem has no node here.
    *
    * @param are      adjective for tiles with a node
    * @param fragment fragment that attaches them
    */
  def requireAll(context: TilePorts.Context, here: AtTilePorts, are: String, fragment: String)(implicit
      p: Parameters
  ): Unit = TilePorts.tiles.foreach { expected =>
    TilePorts.scope(context) {
      InModuleBody {
        require(
          here.tiles == expected,
          s"only ${here.tiles} of $expected tiles $are: put $fragment left of every fragment that makes tiles, and these into no cluster"
        )
      }
    }
  }
}
