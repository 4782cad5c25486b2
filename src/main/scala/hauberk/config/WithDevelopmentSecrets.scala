package hauberk.config

import hauberk.tilelink.{MemoryProtectionKey, ProtectorBoot, Provisioning, SecureBusKey}
import org.chipsalliance.cde.config.Config

/** Keys and random words that the SoC itself makes, for the memory protector and the secure bus of the fragments to its right; and a memory
  * protector that arms itself after reset. For simulators and studies on FPGAs, in SoCs whose programs are loaded through the protector:
  * it keeps nothing secret from who has the Verilog, and nothing at all over a reset ([[hauberk.tilelink.Provisioning.Development]]).
  *
  * @param seed another seed gives other keys
  */
class WithDevelopmentSecrets(seed: Int)
    extends Config((site, _, up) => {
      case MemoryProtectionKey =>
        up(MemoryProtectionKey, site).map(
          _.copy(boot = ProtectorBoot.Alone, secrets = Provisioning.Development(seed))
        )
      case SecureBusKey => up(SecureBusKey, site).map(_.copy(secrets = Provisioning.Development(seed)))
    })
