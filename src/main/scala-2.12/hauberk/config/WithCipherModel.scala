package hauberk.config

import hauberk.crypto.AesDatapath
import hauberk.tilelink.bus.SecureBusKey
import hauberk.tilelink.instruction.InstructionDecryptionKey
import hauberk.tilelink.protector.MemoryProtectionKey
import org.chipsalliance.cde.config.Config

/** Every AES core of the fragments to its right is a C++ model behind DPI ([[hauberk.crypto.AesDatapath.Model]]): the same SoC in every cycle, for
  * simulators alone. Synthesis refuses it. Changes nothing where there is no cipher.
  */
class WithCipherModel
    extends Config(
      Edit(MemoryProtectionKey) { protector =>
        val scheme = protector.protection
        protector.copy(protection = scheme.copy(cipher = scheme.cipher.copy(datapath = AesDatapath.Model)))
      } ++
        Edit(SecureBusKey)(bus => bus.copy(security = bus.security.map(_.copy(aesDatapath = AesDatapath.Model)))) ++
        Edit(InstructionDecryptionKey)(_.copy(aesDatapath = AesDatapath.Model))
    )
