package hauberk.compat

import freechips.rocketchip.rocket.{RocketCoreParams, TracedInstruction}
import freechips.rocketchip.subsystem.{BaseSubsystem, RocketTilesKey}
import freechips.rocketchip.tile.{BaseTile, CoreParams, TileParams, XLen}
import freechips.rocketchip.tilelink.{TLBusWrapper, TLNode}
import org.chipsalliance.cde.config.{Parameters, View}
import org.chipsalliance.diplomacy.lazymodule.{LazyModule, LazyScope}

/** The tiles' master ports, where they come to the system bus, under the name of this Rocket Chip. */
object TilePorts {

  /** A subsystem with adapters at its tiles' ports. */
  type Context = BaseSubsystem with LazyScope

  /** Instructions that a tile retires in a cycle. */
  type Trace = Seq[TracedInstruction]

  /** No parameters: 1.2.6 has none for it, so a subsystem must put the node there itself, as RocketSystem does. */
  def interpose(
      kind: InterposedKind,
      node: Context => TLNode,
      traced: Option[(Context, () => Trace) => Unit] = None,
      where: View => Boolean = _ => true
  ): Parameters = Parameters.empty

  /** No parameters: a subsystem must tell of its tiles itself, as RocketSystem does. */
  def eachTile(what: String)(tell: (Context, BaseTile) => Unit): Parameters = Parameters.empty

  /** Parameters that give Rocket tiles to their right pipelined multipliers, whose time does not depend on what they multiply. */
  val pipelinedMultipliers: Parameters = Parameters((site, _, up) => { case RocketTilesKey =>
    up(RocketTilesKey, site).map(tile => tile.copy(core = pipelined(tile.core, site(XLen))))
  })

  /** Rocket has a pipelined multiplier where one step does all bits. */
  private def pipelined(core: RocketCoreParams, bits: Int): RocketCoreParams =
    core.copy(mulDiv = core.mulDiv.map(_.copy(mulUnroll = bits)))

  /** Whether a core takes interrupts that cannot be masked: not in this Rocket Chip. */
  def takesNmis(core: CoreParams): Boolean = false

  /** Whether a core has instructions of its own (SCIE). */
  def hasCustomInstructions(core: CoreParams): Boolean = core match {
    case rocket: RocketCoreParams => rocket.useSCIE
    case _ => false
  }

  /** Whether a core has the hypervisor extension: not in this Rocket Chip. */
  def hasHypervisor(core: CoreParams): Boolean = false

  /** Whether a tile writes where its core branches: not in this Rocket Chip. */
  def hasTraceEncoder(tile: TileParams): Boolean = false

  /** Whether a tile has a unit that reports errors of its caches. */
  def hasBusErrorUnit(tile: TileParams): Boolean = tile.beuAddr.isDefined

  /** How many tiles there are: 1.2.6 has no parameter that says so, and attaches all in the same way. */
  def tiles(implicit p: Parameters): Option[Int] = None

  /** How many tiles are in clusters: 1.2.6 has no clusters. */
  def tilesInClusters(implicit p: View): Int = 0

  /** The parameters of the tiles. */
  def tileParams(implicit p: View): Seq[TileParams] = p(RocketTilesKey)

  /** Scope of the hardware behind the nodes. */
  def scope(context: Context): LazyModule with LazyScope = context

  /** The bus that the tiles are at. */
  def systemBus(context: Context): TLBusWrapper = context.sbus

  /** The bus for control registers. */
  def controlBus(context: Context): TLBusWrapper = CoherencePoint.controlBus(context)
}
