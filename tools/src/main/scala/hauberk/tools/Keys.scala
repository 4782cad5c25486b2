package hauberk.tools

import java.security.SecureRandom
import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec

/** The keys of packages: 128 bits each. */
object Keys {
  val bytes = 16

  private lazy val random = new SecureRandom

  /** A key nobody had before. */
  def fresh(): Array[Byte] = {
    val key = new Array[Byte](bytes)
    random.nextBytes(key)
    key
  }

  /** RFC 3394: 24 bytes that only the holder of the wrapping key can turn into `key`, and that cannot be altered unnoticed. */
  def wrap(wrapping: Array[Byte], key: Array[Byte]): Array[Byte] = {
    val cipher = Cipher.getInstance("AESWrap")
    cipher.init(Cipher.WRAP_MODE, new SecretKeySpec(wrapping, "AES"))
    cipher.wrap(new SecretKeySpec(key, "AES"))
  }

  /** The dynamic key that the hardware makes of its entropy: the first word is the more significant half. */
  def dynamic(entropy: Seq[BigInt]): Array[Byte] = {
    require(entropy.size == 2, s"a dynamic key is made of 2 words, not ${entropy.size}")
    entropy.flatMap(word => (0 until 8).reverse.map(i => (word >> (8 * i)).toByte)).toArray
  }
}
