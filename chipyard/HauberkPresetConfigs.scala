package chipyard

import hauberk.config._
import org.chipsalliance.cde.config.Config

// Every preset of memory protection on one Rocket core, on four, and under the random traffic of two generators (TraceGen), whose traces `axe`
// checks. Each is to be compared with the configuration that it ends with.

/** `Xts`, the mode of commercial processors: on one core. */
class HauberkXtsRocketConfig extends Config(new WithSimProtection(new WithXts) ++ new RocketConfig)

/** `Xts` on four cores. */
class HauberkXtsQuadRocketConfig extends Config(new WithSimProtection(new WithXts) ++ new QuadRocketConfig)

/** `Xts` under random traffic. */
class HauberkXtsTraceGenConfig extends Config(new WithSimProtection(new WithXts) ++ new NonBlockingTraceGenL2Config)

/** `Xom`, direct encryption with an initial vector for each block: on one core. */
class HauberkXomRocketConfig extends Config(new WithSimProtection(new WithXom) ++ new RocketConfig)

/** `Xom` on four cores. */
class HauberkXomQuadRocketConfig extends Config(new WithSimProtection(new WithXom) ++ new QuadRocketConfig)

/** `Xom` under random traffic. */
class HauberkXomTraceGenConfig extends Config(new WithSimProtection(new WithXom) ++ new NonBlockingTraceGenL2Config)

/** `AegisOtp`, AEGIS's one-time pads: on one core. */
class HauberkAegisOtpRocketConfig extends Config(new WithSimProtection(new WithAegisOtp) ++ new RocketConfig)

/** `AegisOtp` on four cores. */
class HauberkAegisOtpQuadRocketConfig extends Config(new WithSimProtection(new WithAegisOtp) ++ new QuadRocketConfig)

/** `AegisOtp` under random traffic. */
class HauberkAegisOtpTraceGenConfig
    extends Config(new WithSimProtection(new WithAegisOtp) ++ new NonBlockingTraceGenL2Config)

/** `YangSncLru`, Yang's sequence number cache, which replaces the number that was used least recently: on one core. */
class HauberkYangSncLruRocketConfig extends Config(new WithSimProtection(new WithYangSncLru) ++ new RocketConfig)

/** `YangSncLru` on four cores. */
class HauberkYangSncLruQuadRocketConfig
    extends Config(new WithSimProtection(new WithYangSncLru) ++ new QuadRocketConfig)

/** `YangSncLru` under random traffic. */
class HauberkYangSncLruTraceGenConfig
    extends Config(new WithSimProtection(new WithYangSncLru) ++ new NonBlockingTraceGenL2Config)

/** `YangSncNoReplacement`, the same, which keeps the numbers it has, and encrypts other blocks directly: on one core. */
class HauberkYangSncNoReplacementRocketConfig
    extends Config(new WithSimProtection(new WithYangSncNoReplacement) ++ new RocketConfig)

/** `YangSncNoReplacement` on four cores. */
class HauberkYangSncNoReplacementQuadRocketConfig
    extends Config(new WithSimProtection(new WithYangSncNoReplacement) ++ new QuadRocketConfig)

/** `YangSncNoReplacement` under random traffic. */
class HauberkYangSncNoReplacementTraceGenConfig
    extends Config(new WithSimProtection(new WithYangSncNoReplacement) ++ new NonBlockingTraceGenL2Config)

/** `BlockMac`, one-time pads and a tag for each block: on one core. */
class HauberkBlockMacRocketConfig extends Config(new WithSimProtection(new WithBlockMac) ++ new RocketConfig)

/** `BlockMac` on four cores. */
class HauberkBlockMacQuadRocketConfig extends Config(new WithSimProtection(new WithBlockMac) ++ new QuadRocketConfig)

/** `BlockMac` under random traffic. */
class HauberkBlockMacTraceGenConfig
    extends Config(new WithSimProtection(new WithBlockMac) ++ new NonBlockingTraceGenL2Config)

/** `AegisHashTree`, AEGIS's hash tree, which verifies after use, behind export gates: on one core. */
class HauberkAegisHashTreeRocketConfig extends Config(new WithSimProtection(new WithAegisHashTree) ++ new RocketConfig)

/** `AegisHashTree` on four cores. */
class HauberkAegisHashTreeQuadRocketConfig
    extends Config(new WithSimProtection(new WithAegisHashTree) ++ new QuadRocketConfig)

/** `AegisHashTree` under random traffic. */
class HauberkAegisHashTreeTraceGenConfig
    extends Config(new WithSimProtection(new WithAegisHashTree) ++ new NonBlockingTraceGenL2Config)

/** `AegisLogHash`, AEGIS's log of accesses, which is checked before anything leaves the chip: on one core. */
class HauberkAegisLogHashRocketConfig extends Config(new WithSimProtection(new WithAegisLogHash) ++ new RocketConfig)

/** `AegisLogHash` on four cores. */
class HauberkAegisLogHashQuadRocketConfig
    extends Config(new WithSimProtection(new WithAegisLogHash) ++ new QuadRocketConfig)

/** `AegisLogHash` under random traffic. */
class HauberkAegisLogHashTraceGenConfig
    extends Config(new WithSimProtection(new WithAegisLogHash) ++ new NonBlockingTraceGenL2Config)

/** `BonsaiTree`, a counter tree, which verifies after use, behind export gates: on one core. */
class HauberkBonsaiTreeRocketConfig extends Config(new WithSimProtection(new WithBonsaiTree) ++ new RocketConfig)

/** `BonsaiTree` on four cores. */
class HauberkBonsaiTreeQuadRocketConfig
    extends Config(new WithSimProtection(new WithBonsaiTree) ++ new QuadRocketConfig)

/** `BonsaiTree` under random traffic. */
class HauberkBonsaiTreeTraceGenConfig
    extends Config(new WithSimProtection(new WithBonsaiTree) ++ new NonBlockingTraceGenL2Config)

/** `BonsaiTreeBlocking`, a counter tree, which verifies before use: on one core. */
class HauberkBonsaiTreeBlockingRocketConfig
    extends Config(new WithSimProtection(new WithBonsaiTreeBlocking) ++ new RocketConfig)

/** `BonsaiTreeBlocking` on four cores. */
class HauberkBonsaiTreeBlockingQuadRocketConfig
    extends Config(new WithSimProtection(new WithBonsaiTreeBlocking) ++ new QuadRocketConfig)

/** `BonsaiTreeBlocking` under random traffic. */
class HauberkBonsaiTreeBlockingTraceGenConfig
    extends Config(new WithSimProtection(new WithBonsaiTreeBlocking) ++ new NonBlockingTraceGenL2Config)
