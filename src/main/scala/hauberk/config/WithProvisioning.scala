package hauberk.config

import hauberk.tilelink.common.Provisioning
import hauberk.tilelink.protector.{MemoryProtectionKey, ProtectorBoot}
import hauberk.tilelink.bus.SecureBusKey
import hauberk.tilelink.instruction.InstructionDecryptionKey
import org.chipsalliance.cde.config.Config

/** Keys and random words from here, for the memory protector, the secure bus and instruction decryption of the fragments to its right; and a memory protector that
  * arms itself after reset, for SoCs whose programs are loaded through it.
  */
class WithProvisioning(secrets: Provisioning)
    extends Config((site, _, up) => {
      case MemoryProtectionKey =>
        up(MemoryProtectionKey, site).map(_.copy(boot = ProtectorBoot.AutoArm, secrets = secrets))
      case SecureBusKey => up(SecureBusKey, site).map(_.copy(secrets = secrets))
      case InstructionDecryptionKey => up(InstructionDecryptionKey, site).map(_.copy(secrets = secrets))
    })
