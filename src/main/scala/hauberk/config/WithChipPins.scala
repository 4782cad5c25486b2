package hauberk.config

import hauberk.tilelink.{MemoryProtectionKey, ProtectorBoot, Provisioning, SecureBusKey}
import org.chipsalliance.cde.config.Config

/** Keys and random words from pins at the edge of the chip, for the memory protector and the secure bus of the fragments to its right; and a
  * memory protector that arms itself after reset. For chips whose programs are loaded through the protector. Who builds the chip makes the
  * pins, of [[hauberk.tilelink.AttachMemoryProtector.chipPins]] and [[hauberk.tilelink.AttachSecureBus.chipPins]]; `WithHauberkPins` does in Chipyard.
  */
class WithChipPins
    extends Config((site, _, up) => {
      case MemoryProtectionKey =>
        up(MemoryProtectionKey, site).map(_.copy(boot = ProtectorBoot.Alone, secrets = Provisioning.BridgedPins))
      case SecureBusKey => up(SecureBusKey, site).map(_.copy(secrets = Provisioning.BridgedPins))
    })
