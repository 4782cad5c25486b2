package hauberk.config

import freechips.rocketchip.subsystem.WithNBanks
import org.chipsalliance.cde.config.Config

/** One core, memory in the clear: the baseline of every protected configuration. */
class BaselineRocketConfig extends Config(new RocketSoc(1))

/** Two cores, memory in the clear. */
class BaselineDualRocketConfig extends Config(new RocketSoc(2))

/** Four cores and two banks, memory in the clear. */
class BaselineQuadRocketConfig extends Config(new WithNBanks(2) ++ new RocketSoc(4))

/** One core, direct encryption. */
class XomRocketConfig extends ProtectedSoc(new WithXom, new BaselineRocketConfig)

/** Two cores, direct encryption. */
class XomDualRocketConfig extends ProtectedSoc(new WithXom, new BaselineDualRocketConfig)

/** Four cores and two banks, direct encryption. */
class XomQuadRocketConfig extends ProtectedSoc(new WithXom, new BaselineQuadRocketConfig)

/** One core, one-time pads. */
class AegisOtpRocketConfig extends ProtectedSoc(new WithAegisOtp, new BaselineRocketConfig)

/** One core, one-time pads with the timestamp cache and the AES latency of AEGIS, ICS'03, table 2. */
class AegisTable2RocketConfig
    extends Config(new WithCipherLatency(40) ++ new WithCounterCache(2048, 4) ++ new AegisOtpRocketConfig)

/** Two cores, one-time pads. */
class AegisOtpDualRocketConfig extends ProtectedSoc(new WithAegisOtp, new BaselineDualRocketConfig)

/** Four cores and two banks, one-time pads. */
class AegisOtpQuadRocketConfig extends ProtectedSoc(new WithAegisOtp, new BaselineQuadRocketConfig)

/** One core, one-time pads and a hash tree. */
class AegisHashTreeRocketConfig extends ProtectedSoc(new WithAegisHashTree, new BaselineRocketConfig)

/** Two cores, one-time pads and a hash tree. */
class AegisHashTreeDualRocketConfig extends ProtectedSoc(new WithAegisHashTree, new BaselineDualRocketConfig)

/** One core, the same, and secure contexts: all of AEGIS. */
class AegisContextsRocketConfig extends Config(new WithContextGuard ++ new AegisHashTreeRocketConfig)

/** Two cores, the same. */
class AegisContextsDualRocketConfig extends Config(new WithContextGuard ++ new AegisHashTreeDualRocketConfig)

/** One core, one-time pads and a log of accesses. */
class AegisLogHashRocketConfig extends ProtectedSoc(new WithAegisLogHash, new BaselineRocketConfig)

/** Two cores, one-time pads and a log of accesses. */
class AegisLogHashDualRocketConfig extends ProtectedSoc(new WithAegisLogHash, new BaselineDualRocketConfig)

/** One core, one-time pads and tags. */
class BlockMacRocketConfig extends ProtectedSoc(new WithBlockMac, new BaselineRocketConfig)

/** Two cores, one-time pads and tags. */
class BlockMacDualRocketConfig extends ProtectedSoc(new WithBlockMac, new BaselineDualRocketConfig)

/** One core, split counters, tags and a counter tree. */
class BonsaiTreeRocketConfig extends ProtectedSoc(new WithBonsaiTree, new BaselineRocketConfig)

/** Two cores, split counters, tags and a counter tree. */
class BonsaiTreeDualRocketConfig extends ProtectedSoc(new WithBonsaiTree, new BaselineDualRocketConfig)

/** One core, the same, blocking. */
class BonsaiTreeBlockingRocketConfig extends ProtectedSoc(new WithBonsaiTreeBlocking, new BaselineRocketConfig)

/** Two cores, the same, blocking. */
class BonsaiTreeBlockingDualRocketConfig extends ProtectedSoc(new WithBonsaiTreeBlocking, new BaselineDualRocketConfig)

/** One core, a sequence number cache. */
class YangSncLruRocketConfig extends ProtectedSoc(new WithYangSncLru, new BaselineRocketConfig)

/** Two cores, a sequence number cache. */
class YangSncLruDualRocketConfig extends ProtectedSoc(new WithYangSncLru, new BaselineDualRocketConfig)

/** One core, a sequence number cache without replacement. */
class YangSncNoReplacementRocketConfig extends ProtectedSoc(new WithYangSncNoReplacement, new BaselineRocketConfig)

/** Two cores, a sequence number cache without replacement. */
class YangSncNoReplacementDualRocketConfig
    extends ProtectedSoc(new WithYangSncNoReplacement, new BaselineDualRocketConfig)

/** One core, XTS. */
class XtsRocketConfig extends ProtectedSoc(new WithXts, new BaselineRocketConfig)

/** Two cores, XTS. */
class XtsDualRocketConfig extends ProtectedSoc(new WithXts, new BaselineDualRocketConfig)

/** Two cores on a shared bus in the clear: the baseline of a secured one. */
class SharedBusDualRocketConfig extends Config(new WithBusInTheClear ++ new SenssDualRocketConfig)

/** Four cores and two banks on a shared bus in the clear. */
class SharedBusQuadRocketConfig extends Config(new WithBusInTheClear ++ new SenssQuadRocketConfig)

/** Two cores on a secure bus, memory in the clear. */
class SenssDualRocketConfig extends Config(new WithSenss ++ new BaselineDualRocketConfig)

/** Four cores and two banks on a secure bus, memory in the clear. */
class SenssQuadRocketConfig extends Config(new WithSenss ++ new BaselineQuadRocketConfig)

/** Two cores on a secure bus, one-time pads over memory. */
class SenssAegisOtpDualRocketConfig extends Config(new WithSenss ++ new AegisOtpDualRocketConfig)

/** Four cores and two banks on a secure bus, one-time pads over memory. */
class SenssAegisOtpQuadRocketConfig extends Config(new WithSenss ++ new AegisOtpQuadRocketConfig)

/** One core, instructions decrypted in counter mode, memory in the clear. */
class EmuCounterRocketConfig extends Config(new WithEmuCounter ++ new BaselineRocketConfig)

/** One core, instructions decrypted block by block, memory in the clear. */
class EmuDirectRocketConfig extends Config(new WithEmuDirect ++ new BaselineRocketConfig)

/** Two cores, instructions decrypted in counter mode, one-time pads over memory. */
class EmuAegisOtpDualRocketConfig extends Config(new WithEmuCounter ++ new AegisOtpDualRocketConfig)

/** Two cores on a secure bus, each of which encrypts for memory itself; counters coherent by write-invalidate. */
class SenssInvalidatePadsDualRocketConfig extends Config(new WithInvalidatedTilePads ++ new SenssDualRocketConfig)

/** Two cores on a secure bus, each of which encrypts for memory itself; counters coherent by write-update. */
class SenssUpdatePadsDualRocketConfig extends Config(new WithUpdatedTilePads ++ new SenssDualRocketConfig)
