package hauberk.tilelink.instruction

import hauberk.crypto.AesDatapath
import hauberk.instruction.DecryptionMode
import hauberk.tilelink.common.Provisioning
import org.chipsalliance.cde.config.Field

/** Encryption management units at the tiles' instruction caches; none means no hardware. */
case object InstructionDecryptionKey extends Field[Option[InstructionDecryptionParams]](None)

/** User parameters of [[TLInstructionDecryption]].
  *
  * @param mode         counter mode, or direct block decryption
  * @param pages        encrypted pages at a time
  * @param keySlots     slots of the key table, slot 0 included, which has no key
  * @param extraLatency cycles added to AES
  * @param aesDatapath  what computes the blocks of the ciphers
  * @param address      where the control registers are
  * @param secrets      where the processor's secret and the user's token come from
  */
case class InstructionDecryptionParams(
    mode: DecryptionMode = DecryptionMode.Counter,
    pages: Int = 16,
    keySlots: Int = 8,
    extraLatency: Int = 0,
    aesDatapath: AesDatapath = AesDatapath.Rounds,
    address: BigInt = InstructionMap.all.base,
    secrets: Provisioning = Provisioning.Pins
)
