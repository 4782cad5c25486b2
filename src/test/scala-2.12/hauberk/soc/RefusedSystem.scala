package hauberk.soc

import freechips.rocketchip.devices.debug.{DebugModuleKey, DefaultDebugModuleParams}
import freechips.rocketchip.diplomacy.RefusedDesign
import freechips.rocketchip.subsystem.{InclusiveCacheKey, InclusiveCacheParams, RocketTilesKey}
import freechips.rocketchip.tile.RocketTileParams
import org.chipsalliance.cde.config.Config
import org.chipsalliance.diplomacy.lazymodule.LazyModule
import testchipip.boot.BootAddrRegKey
import testchipip.cosim.TracePortKey

/** Systems that are refused, and features of cores for which some are. */
object RefusedSystem {

  /** Why the system of these fragments, the leftmost first, is refused. */
  def why(fragments: Config*): String = RefusedDesign.why(made(fragments: _*).dts)

  /** The system of fragments. */
  def made(fragments: Config*): RocketSystem = {
    val system = LazyModule(new RocketSystem()(fragments.reduceRight[Config]((left, right) =>
      new Config(left ++ right)
    )))
    system
  }

  /** Changes every tile of the fragments to its right. */
  def cores(change: RocketTileParams => RocketTileParams): Config = new Config((site, _, up) => {
    case RocketTilesKey => up(RocketTilesKey, site).map(change)
  })
  private val inTile = Some(BigInt(0x8000000))
  val itim: Config = cores(tile => tile.copy(icache = tile.icache.map(_.copy(itimAddr = inTile))))
  val scratchpad: Config = cores(tile =>
    tile.copy(
      core = tile.core.copy(useVM = false, haveCFlush = false),
      dcache = tile.dcache.map(_.copy(nSets = 64, nWays = 1, scratch = inTile))
    )
  )
  val busErrorUnit: Config = cores(_.copy(beuAddr = inTile))
  val tracePort: Config = new Config((_, _, _) => { case TracePortKey => Some(()) })
  val bootAddress: Config = new Config((_, _, _) => { case BootAddrRegKey => Some(()) })
  def inclusiveCache(control: Option[Int]): Config =
    new Config((_, _, _) => { case InclusiveCacheKey => InclusiveCacheParams(control) })
  val debugger: Config = new Config((_, _, _) => { case DebugModuleKey => Some(DefaultDebugModuleParams(64)) })
}
