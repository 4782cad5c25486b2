package hauberk.memory.reference

import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec

/** The keys of a protected memory, as the trusted side knows them. An unused key may be empty.
  *
  * @param static  key of the encrypted image
  * @param dynamic key of all later writes
  */
case class ProtectionKeys(static: Array[Byte], dynamic: Array[Byte]) {
  lazy val staticKey: ReferenceKey = new ReferenceKey(static)
  lazy val dynamicKey: ReferenceKey = new ReferenceKey(dynamic)

  /** The key of a block with this counter (AEGIS section 3.3.1). */
  def apply(counter: BigInt): ReferenceKey = if (counter == 0) staticKey else dynamicKey
}

/** AES under one key, on the JDK's cipher, and the keys derived from it. Not for use by several threads at once.
  *
  * The layout of AES inputs is written out here once more: domain (8 bits), engine (8), index (40), counter (64), AES block (8), big-endian;
  * or domain (8) and a hash (120).
  */
class ReferenceKey(key: Array[Byte]) {
  private lazy val forward = cipher(Cipher.ENCRYPT_MODE)
  private lazy val backward = cipher(Cipher.DECRYPT_MODE)

  private def cipher(direction: Int): Cipher = {
    val made = Cipher.getInstance("AES/ECB/NoPadding")
    made.init(direction, new SecretKeySpec(key, "AES"))
    made
  }

  /** Any number of AES blocks, each on its own. */
  def encrypt(blocks: Array[Byte]): Array[Byte] = forward.doFinal(blocks)
  def decrypt(blocks: Array[Byte]): Array[Byte] = backward.doFinal(blocks)

  /** AES of an input that names a place. */
  def apply(domain: Int, engine: Int, index: BigInt, counter: BigInt, aesBlock: Int): Array[Byte] =
    encrypt(ReferenceKey.input(domain, engine, index, counter, aesBlock))

  /** AES of an input that holds a hash of 15 bytes. */
  def apply(domain: Int, hash: Array[Byte]): Array[Byte] = encrypt(domain.toByte +: hash)

  // Domain 6: the points at which polynomial hashes are evaluated.
  private lazy val points = apply(6, 0, 0, 0, 0)
  lazy val hashFirst: Long = ReferenceKey.high64(points)
  lazy val hashSecond: Long = ReferenceKey.high64(points.drop(8))

  /** Domain 7: the tweak key of XTS. */
  lazy val tweakKey: ReferenceKey = new ReferenceKey(apply(7, 0, 0, 0, 0))
}

/** The 16-byte AES input of each domain, and conversions of numbers to bytes. */
object ReferenceKey {
  def input(domain: Int, engine: Int, index: BigInt, counter: BigInt, aesBlock: Int): Array[Byte] =
    Array(domain.toByte, engine.toByte) ++ bigEndian(index, 5) ++ bigEndian(counter, 8) :+ aesBlock.toByte

  def bigEndian(value: BigInt, bytes: Int): Array[Byte] =
    (0 until bytes).reverse.map(i => (value >> (8 * i)).toByte).toArray

  def littleEndian(value: BigInt, bytes: Int): Array[Byte] = bigEndian(value, bytes).reverse

  /** The number that bytes in memory are, lowest address least significant. */
  def number(bytes: Array[Byte]): BigInt = BigInt(1, bytes.reverse)

  /** The upper half of an AES block. */
  def high64(block: Array[Byte]): Long = block.take(8).foldLeft(0L)((sum, byte) => (sum << 8) | (byte & 0xff))

  def xor(a: Array[Byte], b: Array[Byte]): Array[Byte] = a.zip(b).map { case (x, y) => (x ^ y).toByte }
}
