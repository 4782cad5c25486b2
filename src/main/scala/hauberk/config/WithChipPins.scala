package hauberk.config

import hauberk.tilelink.common.Provisioning

/** [[WithProvisioning]] by pins at the edge of the chip. Who builds the chip makes the pins, of
  * [[hauberk.tilelink.protector.AttachMemoryProtector.chipPins]], [[hauberk.tilelink.bus.AttachSecureBus.chipPins]],
  * [[hauberk.tilelink.instruction.AttachInstructionDecryption.chipPins]] and [[hauberk.tilelink.contexts.AttachContextGuards.chipPins]]; `WithHauberkPins` does in Chipyard.
  */
class WithChipPins extends WithProvisioning("WithChipPins", Provisioning.Punchthrough)
