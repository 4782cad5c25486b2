package hauberk.config

import freechips.rocketchip.subsystem.WithNBanks
import hauberk.memory.ProtectionParams
import hauberk.tilelink.MemoryProtectorParams
import org.chipsalliance.cde.config.Config

/** Direct encryption, AEGIS section 6.2, the scheme of XOM. */
class WithXom extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.xom))

/** One-time pads from time stamps, AEGIS section 6.3. */
class WithAegisOtp extends WithMemoryProtection(MemoryProtectorParams(ProtectionParams.aegisOtp))

/** One core, memory in the clear: what every protected configuration is measured against. */
class BaselineRocketConfig extends Config(new RocketSoc(1))

/** Two cores, memory in the clear. */
class BaselineDualRocketConfig extends Config(new RocketSoc(2))

/** Four cores and two banks, memory in the clear. */
class BaselineQuadRocketConfig extends Config(new WithNBanks(2) ++ new RocketSoc(4))

/** One core, direct encryption. */
class XomRocketConfig extends Config(new WithXom ++ new BaselineRocketConfig)

/** Two cores, direct encryption. */
class XomDualRocketConfig extends Config(new WithXom ++ new BaselineDualRocketConfig)

/** Four cores and two banks, direct encryption. */
class XomQuadRocketConfig extends Config(new WithXom ++ new BaselineQuadRocketConfig)

/** One core, one-time pads. */
class AegisOtpRocketConfig extends Config(new WithAegisOtp ++ new BaselineRocketConfig)

/** Two cores, one-time pads. */
class AegisOtpDualRocketConfig extends Config(new WithAegisOtp ++ new BaselineDualRocketConfig)

/** Four cores and two banks, one-time pads. */
class AegisOtpQuadRocketConfig extends Config(new WithAegisOtp ++ new BaselineQuadRocketConfig)
