package hauberk.instruction

import javax.crypto.Cipher
import javax.crypto.spec.{IvParameterSpec, SecretKeySpec}

/** Knowledge of the vendor, the issuer of credentials and the tests: the keys of pages, and pages under them, on the JDK's AES.
  *
  * Keys, secrets, check values and ancillary data are numbers of 128 bits whose most significant byte is the first.
  */
object ReferenceSeal {

  /** A number as bytes, the most significant first. */
  def bytes(value: BigInt, size: Int): Array[Byte] =
    (0 until size).reverse.map(i => (value >> (8 * i)).toByte).toArray

  private def cipher(key: BigInt): Cipher = {
    val made = Cipher.getInstance("AES/ECB/NoPadding")
    made.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(key, 16), "AES"))
    made
  }

  /** AES-CMAC (SP 800-38B) of a message of whole blocks. */
  private def cmac(key: BigInt, message: Array[Byte]): BigInt = {
    val zero = BigInt(1, cipher(key).doFinal(new Array[Byte](16)))
    val doubled = (zero << 1) & ((BigInt(1) << 128) - 1)
    val subkey = bytes(if (zero.testBit(127)) doubled ^ 0x87 else doubled, 16)
    val last = message.takeRight(16).zip(subkey).map { case (a, b) => (a ^ b).toByte }
    val cbc = Cipher.getInstance("AES/CBC/NoPadding")
    cbc.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(bytes(key, 16), "AES"), new IvParameterSpec(new Array[Byte](16)))
    BigInt(1, cbc.doFinal(message.dropRight(16) ++ last).takeRight(16))
  }

  /** The key derivation of [[KeyUnit]]. */
  private def derive(secret: BigInt, label: String, context: Array[Byte]): BigInt =
    cmac(
      secret,
      bytes(1, 4) ++ label.getBytes("US-ASCII").padTo(KeyUnit.labelBytes, 0.toByte) ++ bytes(0, 1) ++
        context.padTo(44, 0.toByte) ++ bytes(128, 4)
    )

  /** The check value of a token's credential. */
  def tokenCheck(processor: BigInt, token: BigInt): BigInt = derive(processor, "user token", bytes(token, 16))

  /** The check value of an application's credential, for the processor and the token with these secrets. */
  def applicationCheck(processor: BigInt, application: BigInt, token: BigInt, keyId: BigInt): BigInt =
    derive(processor, "application", bytes(application, 16) ++ bytes(token, 16) ++ bytes(keyId, 8))

  def pageKey(processor: BigInt, application: BigInt, token: BigInt, keyId: BigInt): BigInt =
    derive(processor, "page key", bytes(application, 16) ++ bytes(token, 16) ++ bytes(keyId, 8))

  /** A page, or its first blocks, encrypted in counter mode; and back. */
  def counterMode(key: BigInt, ancillary: BigInt, page: Array[Byte]): Array[Byte] = {
    val base = (ancillary >> EmuParams.blockBits) << EmuParams.blockBits
    val inputs = (0 until page.length / 16).flatMap(i => bytes(base | i, 16)).toArray
    page.zip(cipher(key).doFinal(inputs)).map { case (a, b) => (a ^ b).toByte }
  }

  /** A page, or its first blocks, encrypted in this mode. */
  def page(mode: DecryptionMode, key: BigInt, ancillary: BigInt, page: Array[Byte]): Array[Byte] = mode match {
    case DecryptionMode.Counter => counterMode(key, ancillary, page)
    case _: DecryptionMode.Direct => direct(key, page)
  }

  /** A page, or its first blocks, under direct block encryption. */
  def direct(key: BigInt, page: Array[Byte]): Array[Byte] = cipher(key).doFinal(page)
}
