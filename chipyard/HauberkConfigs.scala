package chipyard

import chipyard.config.WithExtMemIdBits
import freechips.rocketchip.subsystem.{InclusiveCacheKey, WithExtMemSize, WithNBanks, WithNMemoryChannels}
import hauberk.config._
import org.chipsalliance.cde.config.Config

// Chipyard's own configurations with DRAM, or the coherent bus, outside the trusted boundary. Each is to be compared with the one it ends
// with. Keys are made in the SoC (WithTestKeys): a chip brings its own in their place (WithHauberkPins).

/** DRAM as a protector wants it in a simulator. It has more requests to memory than four bits tell apart, and Chipyard's model of DRAM (+dramsim)
  * answers writes of one identifier in any order. Unguarded counters are zeroed in at most 1,024 groups, each before its first use: in 16 MiB a group
  * has 16 lines.
  *
  * @param idBits of AXI4 identifiers: seven, or eight for four engines
  */
class WithHauberkSimMemory(idBits: Int) extends Config(new WithExtMemIdBits(idBits) ++ new WithExtMemSize(16 << 20))

/** A scheme of memory protection, its keys made in the SoC, before DRAM as it wants it in a simulator. */
class WithSimProtection(scheme: Config, idBits: Int = 7) extends Config(
      new WithTestKeys(1) ++
        scheme ++
        new WithHauberkSimMemory(idBits)
    )

/** One-time pads for encrypted images, which a loader brings: the keys are in the fuses, which the test harness drives. */
class HauberkPackageRocketConfig extends Config(
      new WithPackageBoot ++
        new WithHauberkPins(1) ++
        new WithAegisOtp ++
        new WithHauberkSimMemory(7) ++
        new RocketConfig
    )

/** The inclusive cache without the registers that write back or drop a line. */
class WithoutCacheControl extends Config((site, _, up) => {
      case InclusiveCacheKey => up(InclusiveCacheKey, site).copy(ctrlAddr = None)
    })

/** A counter tree, and the guard of AEGIS's secure contexts, for cores whose data caches software can empty, and which nobody debugs, resets
  * or stops. Whoever writes the boot address register, or resets the SoC, still redirects them.
  */
class WithSimContexts extends Config(
      new WithSimProtection(new Config(new WithContextGuard ++ new WithBonsaiTree)) ++
        new WithoutCacheControl ++
        new freechips.rocketchip.rocket.WithCFlushEnabled ++
        new chipyard.config.WithNoTileResetSetters ++
        new chipyard.config.WithNoTileClockGaters ++
        new chipyard.config.WithNoDebug
    )

/** Secure contexts on one core. */
class HauberkContextsRocketConfig extends Config(new WithSimContexts ++ new RocketConfig)

/** Secure contexts on four cores. */
class HauberkContextsQuadRocketConfig extends Config(new WithSimContexts ++ new QuadRocketConfig)

/** Counters that the program steers (Nagarajan et al.), by custom-0 instructions: eight registers, 128 counter ids. */
class WithSimSteering extends WithSimProtection(new Config(new WithCounterSteering ++ new WithCompilerCounters(8, 128)))

/** Steered counters on one core. */
class HauberkSteeredRocketConfig extends Config(new WithSimSteering ++ new RocketConfig)

/** Steered counters on four cores. */
class HauberkSteeredQuadRocketConfig extends Config(new WithSimSteering ++ new QuadRocketConfig)

/** A secure bus between four cores and the L2. DRAM is in the clear. */
class HauberkSenssQuadRocketConfig extends Config(
      new WithTestKeys(1) ++
        new WithSenss ++
        new QuadRocketConfig
    )

/** A secure bus under random traffic. */
class HauberkSenssTraceGenConfig extends Config(
      new WithTestKeys(1) ++
        new WithSenss ++
        new NonBlockingTraceGenL2Config
    )

/** Instructions decrypted in counter mode on their way to the core. DRAM is in the clear. */
class HauberkEmuCounterRocketConfig extends Config(
      new WithTestKeys(1) ++
        new WithEmuCounter ++
        new RocketConfig
    )

/** Instructions decrypted directly. */
class HauberkEmuDirectRocketConfig extends Config(
      new WithTestKeys(1) ++
        new WithEmuDirect ++
        new RocketConfig
    )

/** Instructions decrypted in counter mode on their way to four cores. */
class HauberkEmuCounterQuadRocketConfig extends Config(
      new WithTestKeys(1) ++
        new WithEmuCounter ++
        new QuadRocketConfig
    )

/** Instructions decrypted directly on their way to four cores. */
class HauberkEmuDirectQuadRocketConfig extends Config(
      new WithTestKeys(1) ++
        new WithEmuDirect ++
        new QuadRocketConfig
    )

/** Out-of-order tiles. */
class HauberkAegisOtpBoomConfig extends Config(new WithSimProtection(new WithAegisOtp) ++ new SmallBoomV3Config)

/** Two memory channels, four banks of L2: four engines. */
class HauberkAegisOtpBanksRocketConfig extends Config(
      new WithSimProtection(new WithAegisOtp, idBits = 8) ++
        new WithNBanks(4) ++
        new WithNMemoryChannels(2) ++
        new RocketConfig
    )

/** Tiles of Shuttle. */
class HauberkAegisOtpShuttleConfig extends Config(new WithSimProtection(new WithAegisOtp) ++ new ShuttleConfig)

/** Two clusters of four cores. */
class HauberkAegisOtpClusteredRocketConfig
    extends Config(new WithSimProtection(new WithAegisOtp) ++ new ClusteredRocketConfig)

/** Tiles, buses and memory with clocks of their own, asynchronous where they meet. */
class HauberkAegisOtpMulticlockRocketConfig
    extends Config(new WithSimProtection(new WithAegisOtp) ++ new MulticlockRocketConfig)
