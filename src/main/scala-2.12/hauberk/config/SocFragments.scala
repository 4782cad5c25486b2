package hauberk.config

import chisel3.util.isPow2
import freechips.rocketchip.devices.debug.DebugModuleKey
import freechips.rocketchip.subsystem._
import hauberk.memory.common.Refusal
import hauberk.tilelink.bus.SecureBusKey
import hauberk.tilelink.common.Provisioning
import hauberk.tilelink.instruction.InstructionDecryptionKey
import hauberk.tilelink.protector.{MemoryProtectionKey, ProtectorBoot}
import org.chipsalliance.cde.config.{Config, Field}

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

/** Size in KiB of each first-level cache, for instructions and for data, in every core to its right. A way is as large as a page, so that
  * address translation and look-up run side by side: hence one way for every 4 KiB.
  */
class WithL1Kib(kib: Int)
    extends Config((site, _, up) => {
      case RocketTilesKey =>
        val ways = kib / 4
        require(
          ways > 0 && kib % 4 == 0 && isPow2(ways),
          s"L1 caches of $kib KiB have no power-of-two number of ways of 4 KiB"
        )
        up(RocketTilesKey, site).map { tile =>
          tile.copy(
            icache = tile.icache.map(_.copy(nSets = 64, nWays = ways)),
            dcache = tile.dcache.map(_.copy(nSets = 64, nWays = ways))
          )
        }
    })

/** Says of every L1 data cache to its right whether a miss asks for its line before the old one is written back. */
private[config] class AcquiresBeforeRelease(does: Boolean)
    extends Config((site, _, up) => {
      case RocketTilesKey =>
        up(RocketTilesKey, site).map(tile => tile.copy(dcache = tile.dcache.map(_.copy(acquireBeforeRelease = does))))
    })

/** Gives every L1 data cache to its right a buffer for the line that leaves, so that a miss asks for its line first and writes the old one back
  * behind. Without it Rocket's cache waits for the write to be acknowledged before it asks, and every cycle of a write is a cycle of a miss.
  */
class WithWriteBuffer extends AcquiresBeforeRelease(true)

/** The opposite: a miss waits until the write of the old line is acknowledged, as in Rocket Chip's own configurations. */
class WithoutWriteBuffer extends AcquiresBeforeRelease(false)

/** Whether a stand-alone SoC has a DMA master for tests. */
case object TestDmaKey extends Field[Boolean](false)

/** Puts a DMA master on the front bus of a stand-alone SoC, for tests of what masters other than tiles may access. */
class WithTestDma extends Config((_, _, _) => { case TestDmaKey => true })

/** Common part of every stand-alone SoC: 16 MiB of DRAM at 0x80000000, no MMIO or slave ports, no monitors; it boots from packages. */
class StandaloneSoc
    extends Config(
      Complain((site, _) =>
        Refusal.broken(
          (site(MemoryProtectionKey).forall(params =>
            params.boot == ProtectorBoot.SoftwareArm && params.secrets == Provisioning.Pins
          ) &&
            site(SecureBusKey).forall(_.secrets == Provisioning.Pins) &&
            site(InstructionDecryptionKey).forall(_.secrets == Provisioning.Pins)) ->
            "this SoC boots from packages, for keys that its pins bring: leave WithTestKeys and WithChipPins out"
        )
      ) ++ new WithoutTLMonitors ++
        new WithoutDebugModule ++
        new WithNoMMIOPort ++
        new WithNoSlavePort ++
        new WithExtMemSize(16L << 20) ++
        new WithDTS("hauberk,standalone", Nil) ++
        new freechips.rocketchip.system.BaseConfig
    )

/** A stand-alone SoC of big Rocket cores, whose data caches have write buffers.
  *
  * @param cores number of cores
  */
class RocketSoc(cores: Int)
    extends Config(new WithCacheFlush ++ new WithWriteBuffer ++ new WithNBigCores(cores) ++ new StandaloneSoc)

/** A stand-alone SoC with protected memory. Each of the four trackers of a bank's broadcast hub has one access under way, and each core one
  * write-back beside them: with up to four cores, more than four reads and eight writes in flight would be area without use. Engines are gated, which
  * simulators make use of.
  *
  * @param scheme how memory is protected
  * @param soc    the same SoC without protection
  */
abstract class ProtectedSoc(scheme: Config, soc: Config)
    extends Config(new WithGatedEngines ++ new WithTransactions(reads = 4, writes = 8) ++ scheme ++ soc)
