package hauberk.memory

import javax.crypto.Cipher
import javax.crypto.spec.SecretKeySpec

/** The two keys of a protected memory, as the trusted side knows them. */
case class ProtectionKeys(static: Array[Byte], dynamic: Array[Byte]) {
  def apply(counter: BigInt): Array[Byte] = if (counter == 0) static else dynamic
}

/** The bit-exact model of what the engine puts into memory, on the JDK's cipher: the vendor side of a package, the judge of a memory dump,
  * and what the RTL is compared with. It shares with the hardware only [[MetadataLayout]]; the layout of AES inputs is written out anew.
  *
  * @param mode   the scheme
  * @param layout where the stripe keeps what
  * @param engine number of the engine the stripe belongs to
  */
class ReferenceModel(mode: Mode, val layout: MetadataLayout, engine: Int) {

  /** Encrypt one block as a write with this counter does. */
  def encrypt(keys: ProtectionKeys, block: BigInt, counter: BigInt, plain: Array[Byte]): Array[Byte] =
    transform(keys(counter), block, counter, plain, encrypting = true)

  /** Decrypt one block as a read that finds this counter does. */
  def decrypt(keys: ProtectionKeys, block: BigInt, counter: BigInt, stored: Array[Byte]): Array[Byte] =
    transform(keys(counter), block, counter, stored, encrypting = false)

  private def transform(key: Array[Byte], block: BigInt, counter: BigInt, in: Array[Byte], encrypting: Boolean) = {
    require(in.length == layout.blockBytes, s"a block has ${layout.blockBytes} bytes, not ${in.length}")
    val chunks = in.grouped(16).toVector
    mode match {
      case OneTimePad =>
        val forward = aes(key, Cipher.ENCRYPT_MODE)
        chunks.zipWithIndex.flatMap { case (chunk, i) => xor(chunk, forward(input(1, block, counter, i))) }.toArray
      case _: DirectCbc =>
        val forward = aes(key, Cipher.ENCRYPT_MODE)
        val vector = forward(input(2, block, counter, 0))
        if (encrypting) chunks.scanLeft(vector)((before, chunk) => forward(xor(chunk, before))).tail.flatten.toArray
        else {
          val backward = aes(key, Cipher.DECRYPT_MODE)
          chunks.zip(vector +: chunks).flatMap { case (chunk, before) => xor(backward(chunk), before) }.toArray
        }
      case other => throw new IllegalArgumentException(s"no reference model of the mode ${other.name}")
    }
  }

  private def aes(key: Array[Byte], direction: Int): Array[Byte] => Array[Byte] = {
    val cipher = Cipher.getInstance("AES/ECB/NoPadding")
    cipher.init(direction, new SecretKeySpec(key, "AES"))
    in => cipher.doFinal(in)
  }

  private def xor(a: Array[Byte], b: Array[Byte]): Array[Byte] =
    a.zip(b).map { case (x, y) => (x ^ y).toByte }

  /** Domain, engine, block number (5 bytes), counter (8), AES block (1), big-endian. */
  private def input(domain: Int, block: BigInt, counter: BigInt, chunk: Int): Array[Byte] =
    Array(domain.toByte, engine.toByte) ++ bigEndian(block, 5) ++ bigEndian(counter, 8) :+ chunk.toByte

  private def bigEndian(value: BigInt, bytes: Int): Array[Byte] =
    (0 until bytes).reverse.map(i => (value >> (8 * i)).toByte).toArray
}
