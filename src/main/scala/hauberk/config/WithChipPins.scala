package hauberk.config

import hauberk.tilelink.Provisioning

/** [[WithProvisioning]] by pins at the edge of the chip. Who builds the chip makes the pins, of
  * [[hauberk.tilelink.AttachMemoryProtector.chipPins]], [[hauberk.tilelink.AttachSecureBus.chipPins]] and
  * [[hauberk.tilelink.AttachInstructionDecryption.chipPins]]; `WithHauberkPins` does in Chipyard.
  */
class WithChipPins extends WithProvisioning(Provisioning.BridgedPins)
