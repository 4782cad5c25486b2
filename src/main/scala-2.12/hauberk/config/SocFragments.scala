package hauberk.config

import freechips.rocketchip.devices.debug.DebugModuleKey
import freechips.rocketchip.subsystem._
import org.chipsalliance.cde.config.Config

/** Leaves out the debug module: it costs simulation speed, and its bus master would reach memory. */
class WithoutDebugModule
    extends Config((_, _, _) => {
      case DebugModuleKey => None
    })

/** Gives every core the instruction that flushes the L1 data cache, so that software can push its results to DRAM. */
class WithCacheFlush
    extends Config((site, _, up) => {
      case RocketTilesKey =>
        up(RocketTilesKey, site).map(tile => tile.copy(core = tile.core.copy(haveCFlush = true)))
    })

/** What every stand-alone SoC shares: 16 MiB of DRAM at 0x80000000, no MMIO or slave ports, no monitors. */
class StandaloneSoc
    extends Config(
      new WithoutTLMonitors ++
        new WithoutDebugModule ++
        new WithNoMMIOPort ++
        new WithNoSlavePort ++
        new WithExtMemSize(16L << 20) ++
        new WithDTS("hauberk,standalone", Nil) ++
        new freechips.rocketchip.system.BaseConfig
    )

/** A stand-alone SoC of big Rocket cores.
  *
  * @param cores number of cores
  */
class RocketSoc(cores: Int) extends Config(new WithCacheFlush ++ new WithNBigCores(cores) ++ new StandaloneSoc)
