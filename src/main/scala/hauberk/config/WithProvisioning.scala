package hauberk.config

import hauberk.memory.common.Refusal
import hauberk.tilelink.bus.SecureBusKey
import hauberk.tilelink.common.Provisioning
import hauberk.tilelink.contexts.ContextGuardKey
import hauberk.tilelink.instruction.InstructionDecryptionKey
import hauberk.tilelink.protector.{MemoryProtectionKey, ProtectorBoot}
import org.chipsalliance.cde.config.Config

/** Keys and random words from here, for the memory protector, the secure bus, instruction decryption and secure contexts of the fragments to its right; and a memory protector that
  * arms itself after reset, for SoCs whose programs are loaded through it.
  *
  * @param fragment name of this fragment
  */
class WithProvisioning(fragment: String, secrets: Provisioning)
    extends Config(
      Edit(MemoryProtectionKey) { protector =>
        val boot = if (protector.boot.armsItself) protector.boot else ProtectorBoot.AutoArm
        protector.copy(boot = boot, secrets = secrets)
      } ++
        Edit(SecureBusKey)(_.copy(secrets = secrets)) ++
        Edit(InstructionDecryptionKey)(_.copy(secrets = secrets)) ++
        Edit(ContextGuardKey)(_.copy(secrets = secrets)) ++
        Complain((_, right) =>
          Refusal.broken(
            (right(MemoryProtectionKey).isDefined || right(SecureBusKey).isDefined || right(
              InstructionDecryptionKey
            ).isDefined) ->
              (s"$fragment brings keys, and there is nothing to its right that has any: put it left of what brings a memory protector, a secure bus " +
                "or instruction decryption, or leave it out")
          )
        )
    )
