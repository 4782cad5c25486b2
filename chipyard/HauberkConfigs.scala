package chipyard

import chipyard.config.WithExtMemIdBits
import freechips.rocketchip.subsystem.{WithExtMemSize, WithNBanks, WithNMemoryChannels}
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

/** AEGIS's one-time pads before the DRAM of one Rocket core. */
class HauberkAegisOtpRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new RocketConfig)

/** The same for encrypted images, which a loader brings: the keys are in the fuses, which the test harness drives. */
class HauberkPackageRocketConfig extends Config(
  new WithPackageBoot ++
  new WithHauberkPins(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new RocketConfig)

/** Yang's sequence number cache. */
class HauberkYangSncRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithYangSncLru ++
  new WithHauberkSimMemory(7) ++
  new RocketConfig)

/** Integrity and freshness: a counter tree that verifies before use, and four cores. */
class HauberkBonsaiQuadRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithBonsaiTreeBlocking ++
  new WithHauberkSimMemory(7) ++
  new QuadRocketConfig)

/** A counter tree that verifies after use, behind export gates. */
class HauberkBonsaiTreeRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithBonsaiTree ++
  new WithHauberkSimMemory(7) ++
  new RocketConfig)

/** A counter tree, and the guard of AEGIS's secure contexts, for cores whose data caches software can empty, and which nobody debugs. */
class HauberkContextsRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithContextGuard ++
  new WithBonsaiTree ++
  new WithHauberkSimMemory(7) ++
  new freechips.rocketchip.rocket.WithCFlushEnabled ++
  new chipyard.config.WithNoDebug ++
  new RocketConfig)

/** Counters that the program steers (Nagarajan et al.), by custom-0 instructions. */
class HauberkSteeredRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithCounterSteering ++
  new WithCompilerCounters(8, 128) ++
  new WithHauberkSimMemory(7) ++
  new RocketConfig)

/** AEGIS's log of accesses, which is checked before anything leaves the chip. */
class HauberkLogHashRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisLogHash ++
  new WithHauberkSimMemory(7) ++
  new RocketConfig)

/** A secure bus between four cores and the L2. DRAM is in the clear. */
class HauberkSenssQuadRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithSenss ++
  new QuadRocketConfig)

/** Instructions decrypted in counter mode on their way to the core. DRAM is in the clear. */
class HauberkEmuRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithEmuCounter ++
  new RocketConfig)

/** Out-of-order tiles. */
class HauberkAegisOtpBoomConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new SmallBoomV3Config)

/** Two memory channels, four banks of L2: four engines. */
class HauberkAegisOtpBanksRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(8) ++
  new WithNBanks(4) ++
  new WithNMemoryChannels(2) ++
  new RocketConfig)

/** Tiles of Shuttle. */
class HauberkAegisOtpShuttleConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new ShuttleConfig)

/** Two clusters of four cores. */
class HauberkAegisOtpClusteredRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new ClusteredRocketConfig)

/** Tiles, buses and memory with clocks of their own, asynchronous where they meet. */
class HauberkAegisOtpMulticlockRocketConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new MulticlockRocketConfig)

// Two generators of random traffic in place of cores, with non-blocking L1 caches and an L2. `axe` checks their traces.

/** One-time pads under random traffic. */
class HauberkAegisOtpTraceGenConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisOtp ++
  new WithHauberkSimMemory(7) ++
  new NonBlockingTraceGenL2Config)

/** A counter tree that verifies before use, under random traffic. */
class HauberkBonsaiBlockingTraceGenConfig extends Config(
  new WithTestKeys(1) ++
  new WithBonsaiTreeBlocking ++
  new WithHauberkSimMemory(7) ++
  new NonBlockingTraceGenL2Config)

/** A counter tree that verifies after use, under random traffic. */
class HauberkBonsaiTreeTraceGenConfig extends Config(
  new WithTestKeys(1) ++
  new WithBonsaiTree ++
  new WithHauberkSimMemory(7) ++
  new NonBlockingTraceGenL2Config)

/** AEGIS's log of accesses under random traffic. */
class HauberkLogHashTraceGenConfig extends Config(
  new WithTestKeys(1) ++
  new WithAegisLogHash ++
  new WithHauberkSimMemory(7) ++
  new NonBlockingTraceGenL2Config)

/** A secure bus under random traffic. */
class HauberkSenssTraceGenConfig extends Config(
  new WithTestKeys(1) ++
  new WithSenss ++
  new NonBlockingTraceGenL2Config)
