package hauberk.memory

import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec

/** XTS-AES of whole AES blocks (IEEE 1619, section 5), written down from the standard on the JDK's AES, and the one-time pads of an engine: a
  * reference of the tests.
  */
object JdkModes {
  def encryptXts(key1: Array[Byte], key2: Array[Byte], dataUnit: BigInt, in: Array[Byte]): Array[Byte] =
    transform(Cipher.ENCRYPT_MODE, key1, key2, dataUnit, in)
  def decryptXts(key1: Array[Byte], key2: Array[Byte], dataUnit: BigInt, in: Array[Byte]): Array[Byte] =
    transform(Cipher.DECRYPT_MODE, key1, key2, dataUnit, in)

  /** A block under the pad of its number and counter, either way. */
  def oneTimePad(key: Array[Byte], engine: Int, block: BigInt, counter: BigInt, in: Array[Byte]): Array[Byte] = {
    def bigEndian(v: BigInt, bytes: Int) = (0 until bytes).reverse.map(i => (v >> (8 * i)).toByte).toArray
    val seed = Array[Byte](1, engine.toByte) ++ bigEndian(block, 5) ++ bigEndian(counter, 8)
    in.grouped(16).zipWithIndex.flatMap { case (aesBlock, i) =>
      xor(aesBlock, aes(Cipher.ENCRYPT_MODE, key, seed :+ i.toByte))
    }.toArray
  }

  /** The tweak key that belongs to a key. */
  def tweakKey(key: Array[Byte]): Array[Byte] = aes(Cipher.ENCRYPT_MODE, key, 7.toByte +: new Array[Byte](15))

  def aes(direction: Int, key: Array[Byte], in: Array[Byte]): Array[Byte] = {
    val cipher = Cipher.getInstance("AES/ECB/NoPadding")
    cipher.init(direction, new SecretKeySpec(key, "AES"))
    cipher.doFinal(in)
  }

  private def transform(direction: Int, key1: Array[Byte], key2: Array[Byte], dataUnit: BigInt, in: Array[Byte]) = {
    require(in.length % 16 == 0, s"${in.length} bytes are no whole AES blocks")
    val number = (0 until 16).map(i => (dataUnit >> (8 * i)).toByte).toArray
    val first = aes(Cipher.ENCRYPT_MODE, key2, number)
    in.grouped(16)
      .zip(Iterator.iterate(first)(timesAlpha))
      .flatMap { case (block, tweak) => xor(aes(direction, key1, xor(block, tweak)), tweak) }
      .toArray
  }

  /** Section 5.2: bytes shift from the first to the last, what falls out comes back as 135 in the first. */
  private def timesAlpha(tweak: Array[Byte]): Array[Byte] = {
    val carries = tweak.map(byte => (byte & 0xff) >> 7)
    tweak.indices.map { i =>
      val carry = if (i == 0) carries.last * 135 else carries(i - 1)
      (((tweak(i) & 0xff) << 1) ^ carry).toByte
    }.toArray
  }

  def xor(a: Array[Byte], b: Array[Byte]): Array[Byte] = a.zip(b).map { case (x, y) => (x ^ y).toByte }
}
