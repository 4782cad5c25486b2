package hauberk.crypto

import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec
import scala.util.Random

/** AES of the JDK on numbers whose most significant byte is the first one: the independent reference of the tests. */
object JdkAes {
  def bytes(value: BigInt, size: Int): Array[Byte] = {
    val all = value.toByteArray.dropWhile(_ == 0)
    Array.fill[Byte](size - all.length)(0) ++ all
  }

  def encrypt(key: BigInt, keyBits: Int, block: BigInt): BigInt = ecb(Cipher.ENCRYPT_MODE, key, keyBits, block)
  def decrypt(key: BigInt, keyBits: Int, block: BigInt): BigInt = ecb(Cipher.DECRYPT_MODE, key, keyBits, block)

  private def ecb(mode: Int, key: BigInt, keyBits: Int, block: BigInt): BigInt = {
    val cipher = Cipher.getInstance("AES/ECB/NoPadding")
    cipher.init(mode, new SecretKeySpec(bytes(key, keyBits / 8), "AES"))
    BigInt(1, cipher.doFinal(bytes(block, 16)))
  }

  /** RFC 3394 wrapping of a 128-bit key: three 64-bit words. */
  def wrap(kek: BigInt, key: BigInt): Seq[BigInt] = {
    val cipher = Cipher.getInstance("AESWrap")
    cipher.init(Cipher.WRAP_MODE, new SecretKeySpec(bytes(kek, 16), "AES"))
    cipher.wrap(new SecretKeySpec(bytes(key, 16), "AES")).grouped(8).map(BigInt(1, _)).toSeq
  }

  /** The algorithm of RFC 3394, 2.2.1, with an initial value that is not its own. */
  def wrapUnder(initial: BigInt, kek: BigInt, key: BigInt): Seq[BigInt] = {
    val low = (BigInt(1) << 64) - 1
    val words = Seq(key >> 64, key & low)
    (1 to 12).foldLeft(initial +: words) { case (Seq(a, first, second), step) =>
      val block = encrypt(kek, 128, (a << 64) | first)
      Seq((block >> 64) ^ step, second, block & low)
    }
  }

  def random(random: Random, bits: Int): BigInt = BigInt(bits, random)
}

/** A published block: under `key`, `plain` becomes `cipher`. */
case class KnownBlock(keyBits: Int, key: BigInt, plain: BigInt, cipher: BigInt)

object KnownBlock {
  private def hex(digits: String): BigInt = BigInt(digits.replace(" ", ""), 16)

  /** FIPS-197, appendix C. */
  val fips197: Seq[KnownBlock] = Seq(
    128 -> "69c4e0d86a7b0430d8cdb78070b4c55a",
    192 -> "dda97ca4864cdfe06eaf70a0ec0d7191",
    256 -> "8ea2b7ca516745bfeafc49904b496089"
  ).map { case (keyBits, cipher) =>
    val key = hex((0 until keyBits / 8).map(i => f"$i%02x").mkString)
    KnownBlock(keyBits, key, hex("00112233445566778899aabbccddeeff"), hex(cipher))
  }

  private val sp800Plain = Seq(
    "6bc1bee22e409f96e93d7e117393172a",
    "ae2d8a571e03ac9c9eb76fac45af8e51",
    "30c81c46a35ce411e5fbc1191a0a52ef",
    "f69f2445df4f9b17ad2b417be66c3710"
  )

  /** SP 800-38A, appendix F.1 (ECB). */
  val sp800: Seq[KnownBlock] = Seq(
    (
      128,
      "2b7e151628aed2a6abf7158809cf4f3c",
      Seq(
        "3ad77bb40d7a3660a89ecaf32466ef97",
        "f5d3d58503b9699de785895a96fdbaaf",
        "43b1cd7f598ece23881b00e3ed030688",
        "7b0c785e27e8ad3f8223207104725dd4"
      )
    ),
    (
      192,
      "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
      Seq(
        "bd334f1d6e45f25ff712a214571fa5cc",
        "974104846d0ad3ad7734ecb3ecee4eef",
        "ef7afd2270e2e60adce0ba2face6444e",
        "9a4b41ba738d6c72fb16691603c18e0e"
      )
    ),
    (
      256,
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      Seq(
        "f3eed1bdb5d2a03c064b5a7e3db181f8",
        "591ccb10d410ed26dc5ba74a31362870",
        "b6ed21b99ca6f4f9f153e7b1beafed1d",
        "23304b7a39f9f3ff067d8d8f9e24ecc7"
      )
    )
  ).flatMap { case (keyBits, key, ciphers) =>
    sp800Plain.zip(ciphers).map { case (plain, cipher) => KnownBlock(keyBits, hex(key), hex(plain), hex(cipher)) }
  }

  val all: Seq[KnownBlock] = fips197 ++ sp800
}
