package hauberk.config

import hauberk.memory.ProtectionParams
import hauberk.tilelink.MemoryProtectorParams
import org.chipsalliance.cde.config.Config

// Every preset as a fragment, and as systems of one core and of two.

/** XTS-AES: what industry ships. */
class WithXts extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.xts))

/** One core, XTS. */
class XtsRocketConfig extends Config(new WithXts ++ new BaselineRocketConfig)

/** Two cores, XTS. */
class XtsDualRocketConfig extends Config(new WithXts ++ new BaselineDualRocketConfig)

/** One-time pads with a sequence number cache, with replacement (Yang et al., MICRO 2003). */
class WithYangSncLru extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.yangSncLru))

/** One core, a sequence number cache with replacement. */
class YangSncLruRocketConfig extends Config(new WithYangSncLru ++ new BaselineRocketConfig)

/** Two cores, a sequence number cache with replacement. */
class YangSncLruDualRocketConfig extends Config(new WithYangSncLru ++ new BaselineDualRocketConfig)

/** The same without replacement: what finds no room is encrypted directly. */
class WithYangSncNoReplacement
    extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.yangSncNoReplacement))

/** One core, a sequence number cache without replacement. */
class YangSncNoReplacementRocketConfig extends Config(new WithYangSncNoReplacement ++ new BaselineRocketConfig)

/** Two cores, a sequence number cache without replacement. */
class YangSncNoReplacementDualRocketConfig extends Config(new WithYangSncNoReplacement ++ new BaselineDualRocketConfig)

/** One-time pads and a tag a block. */
class WithBlockMac extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.blockMac))

/** One core, block tags. */
class BlockMacRocketConfig extends Config(new WithBlockMac ++ new BaselineRocketConfig)

/** Two cores, block tags. */
class BlockMacDualRocketConfig extends Config(new WithBlockMac ++ new BaselineDualRocketConfig)

/** AEGIS with the cached hash tree, used speculatively. */
class WithAegisHashTree extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.aegisHashTree))

/** One core, the cached hash tree. */
class AegisHashTreeRocketConfig extends Config(new WithAegisHashTree ++ new BaselineRocketConfig)

/** Two cores, the cached hash tree. */
class AegisHashTreeDualRocketConfig extends Config(new WithAegisHashTree ++ new BaselineDualRocketConfig)

/** AEGIS with the log hash. */
class WithAegisLogHash extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.aegisLogHash))

/** One core, the log hash. */
class AegisLogHashRocketConfig extends Config(new WithAegisLogHash ++ new BaselineRocketConfig)

/** Two cores, the log hash. */
class AegisLogHashDualRocketConfig extends Config(new WithAegisLogHash ++ new BaselineDualRocketConfig)

/** Split counters, block tags and a counter tree, used speculatively. */
class WithBonsaiTree extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.bonsaiTree))

/** One core, a counter tree. */
class BonsaiTreeRocketConfig extends Config(new WithBonsaiTree ++ new BaselineRocketConfig)

/** Two cores, a counter tree. */
class BonsaiTreeDualRocketConfig extends Config(new WithBonsaiTree ++ new BaselineDualRocketConfig)

/** The same, and nothing leaves an engine before it is verified. */
class WithBonsaiTreeBlocking extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.bonsaiTreeBlocking))

/** One core, a counter tree, nothing unverified. */
class BonsaiTreeBlockingRocketConfig extends Config(new WithBonsaiTreeBlocking ++ new BaselineRocketConfig)

/** Two cores, a counter tree, nothing unverified. */
class BonsaiTreeBlockingDualRocketConfig extends Config(new WithBonsaiTreeBlocking ++ new BaselineDualRocketConfig)
