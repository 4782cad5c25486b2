package hauberk.config

import hauberk.memory.ProtectionParams
import hauberk.tilelink.protector.MemoryProtectorParams
import org.chipsalliance.cde.config.Config

/** Direct encryption, AEGIS section 6.2, the scheme of XOM. */
class WithXom extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.xom))

/** One-time pads from timestamps, AEGIS section 6.3. */
class WithAegisOtp extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.aegisOtp))

/** One-time pads and the cached hash tree of AEGIS section 5, speculatively. */
class WithAegisHashTree extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.aegisHashTree))

/** One-time pads and the log hash of AEGIS section 5. */
class WithAegisLogHash extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.aegisLogHash))

/** One-time pads and a tag a block, without freshness. */
class WithBlockMac extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.blockMac))

/** Split counters, tags, and a counter tree, speculatively (Yan et al., ISCA'06; Rogers et al., MICRO'07). */
class WithBonsaiTree extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.bonsaiTree))

/** The same, where nothing leaves the protector unverified. */
class WithBonsaiTreeBlocking extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.bonsaiTreeBlocking))

/** Yang et al., MICRO 2003: a sequence number cache with replacement. */
class WithYangSncLru extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.yangSncLru))

/** Yang et al., MICRO 2003: a sequence number cache without replacement. */
class WithYangSncNoReplacement
    extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.yangSncNoReplacement))

/** XTS, the mode of commercial processors. */
class WithXts extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.xts))
