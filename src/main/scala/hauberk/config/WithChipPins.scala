package hauberk.config

import hauberk.tilelink.common.Provisioning

/** [[WithProvisioning]] by pins at the edge of the chip. Who builds the chip makes the pins, of
  * [[hauberk.tilelink.protector.AttachMemoryProtector.chipPins]], [[hauberk.tilelink.bus.AttachSecureBus.chipPins]] and
  * [[hauberk.tilelink.instruction.AttachInstructionDecryption.chipPins]]; `WithHauberkPins` does in Chipyard.
  */
class WithChipPins extends WithProvisioning("WithChipPins", Provisioning.Punchthrough)
