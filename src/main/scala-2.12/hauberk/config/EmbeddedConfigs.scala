package hauberk.config

import chisel3.util.isPow2
import freechips.rocketchip.devices.tilelink.{DevNullParams, TLError}
import freechips.rocketchip.diplomacy.{AddressSet, RegionType}
import freechips.rocketchip.subsystem._
import freechips.rocketchip.tilelink.TLIdentityNode
import hauberk.memory.counter.CompilerCounters
import hauberk.tilelink.protector.MemoryProtectionKey
import org.chipsalliance.cde.config.{Config, Field, Parameters}
import org.chipsalliance.diplomacy.lazymodule.LazyModule

/** Size in KiB of the data cache of an embedded core, 0 for none. */
case object DataCacheKib extends Field[Int](0)

/** Size of the data cache of an embedded core; with 0 KiB every load and store goes to memory. */
class WithDataCacheKib(kib: Int) extends Config((_, _, _) => { case DataCacheKib => kib })

/** An embedded SoC as in Nagarajan et al., section 2: one core, no cache but the first-level ones. Without a data cache memory is not cacheable for
  * the core, which accesses it word by word and has neither LR/SC nor AMO on it.
  *
  * @param lineBytes   cache lines
  * @param fetchKib    instruction cache
  * @param outstanding loads and stores in flight without a data cache
  */
abstract class EmbeddedSoc(lineBytes: Int, fetchKib: Int, outstanding: Int)
    extends Config(
      new Config((site, _, up) => {
        case CacheBlockBytes => lineBytes
        case BankedL2Key =>
          val banks = up(BankedL2Key, site)
          banks.copy(coherenceManager = context => {
            implicit val p: Parameters = context.p
            if (site(DataCacheKib) > 0) banks.coherenceManager(context)
            else {
              // Rocket Chip asks for something that a data cache could cache: a device that denies every access
              val nothing_cacheable = LazyModule(
                new TLError(
                  DevNullParams(Seq(EmbeddedSoc.nothing), 8, lineBytes, RegionType.TRACKED, executable = false),
                  site(SystemBusKey).beatBytes
                )
              )
              context.attach(SBUS).coupleTo("nothing_cacheable") { nothing_cacheable.node := _ }
              val no_coherence_manager = TLIdentityNode()
              (no_coherence_manager, no_coherence_manager, None)
            }
          })
        case RocketTilesKey =>
          def ways(kib: Int) = math.max(1, kib * 1024 / (EmbeddedSoc.sets(lineBytes) * lineBytes))
          val kib = site(DataCacheKib)
          require(kib == 0 || isPow2(kib), s"a data cache of $kib KiB cannot be: use 0 or a power of two")
          up(RocketTilesKey, site).map { tile =>
            tile.copy(
              icache = tile.icache.map(_.copy(nSets = EmbeddedSoc.sets(lineBytes), nWays = ways(fetchKib))),
              dcache =
                tile.dcache.map(_.copy(nSets = EmbeddedSoc.sets(lineBytes), nWays = ways(kib), nMMIOs = outstanding))
            )
          }
      }) ++ new RocketSoc(1)
    )

private[config] object EmbeddedSoc {

  /** Addresses of the device that denies every access. */
  val nothing: AddressSet = AddressSet(0x5000, 0xfff)

  /** Sets of both caches: a way is a page at most, because address translation and look-up run side by side. */
  def sets(lineBytes: Int): Int = if (lineBytes < 32) 64 else 128
}

/** An embedded SoC whose counters are Nagarajan's. Blocks are cache lines, or words of 8 bytes where there is no data cache.
  *
  * @param registers counter registers, 0 for the global counter alone
  * @param latency   of AES in cycles
  * @param soc       the same SoC without protection
  */
abstract class EmbeddedProtectedSoc(registers: Int, latency: Int, soc: Config)
    extends Config(
      new WithGatedEngines ++ new WithCipherLatency(latency) ++
        new Config((site, _, up) => { case MemoryProtectionKey =>
          val kib = site(DataCacheKib)
          up(MemoryProtectionKey, site).map { protector =>
            val lines = kib * 1024 / site(CacheBlockBytes)
            val counters = protector.protection.counters match {
              case steered: CompilerCounters => steered.copy(storeHints = math.max(lines, 8), ahead = kib == 0)
              case other => other
            }
            protector.copy(
              blockBytes = if (kib == 0) Some(EmbeddedProtectedSoc.wordBytes) else None,
              protection = protector.protection.copy(counters = counters)
            )
          }
        }) ++ new WithCompilerCounters(registers, 128) ++ soc
    )

private[config] object EmbeddedProtectedSoc {
  val wordBytes = 8
}

/** The low end: lines of 16 bytes, an instruction cache of 8 KiB; no data cache, or one of 2 or 4 KiB. The paper's memory bus of 4 bytes is
  * `--dram-bus 4` of the simulator.
  */
class EmbeddedRocketConfig extends EmbeddedSoc(lineBytes = 16, fetchKib = 8, outstanding = 4)

/** The same under one global counter, AES of 14 cycles. */
class EmbeddedGlobalRocketConfig extends EmbeddedProtectedSoc(0, 14, new EmbeddedRocketConfig)

/** The same with eight counter registers that the program steers. */
class EmbeddedSteeredRocketConfig
    extends Config(new WithCounterSteering ++ new EmbeddedSteeredSoc(14, new EmbeddedRocketConfig))

/** The medium end: lines of 32 bytes, an instruction cache of 32 KiB, data caches of 8, 16 or 32 KiB. */
class EmbeddedMediumRocketConfig extends Config(new WithDataCacheKib(16) ++ new EmbeddedMediumSoc)

/** The same under one global counter, AES of 31 cycles. */
class EmbeddedMediumGlobalRocketConfig extends EmbeddedProtectedSoc(0, 31, new EmbeddedMediumRocketConfig)

/** The same with eight counter registers that the program steers. */
class EmbeddedMediumSteeredRocketConfig
    extends Config(new WithCounterSteering ++ new EmbeddedSteeredSoc(31, new EmbeddedMediumRocketConfig))

private[config] class EmbeddedMediumSoc extends EmbeddedSoc(lineBytes = 32, fetchKib = 32, outstanding = 8)
private[config] class EmbeddedSteeredSoc(latency: Int, soc: Config) extends EmbeddedProtectedSoc(8, latency, soc)
