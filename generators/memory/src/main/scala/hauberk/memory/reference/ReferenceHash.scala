package hauberk.memory.reference

/** The polynomial hash under every tag, bit by bit. The field is GF(2^64) with bit j of a word for x^j, modulo x^64 + x^4 + x^3 + x + 1; the
  * words of a message are 64 bits, little-endian in memory. It is a universal hash, which keeps nobody from forging: what uses it hides it
  * under AES.
  */
object ReferenceHash {
  def multiply(a: Long, b: Long): Long =
    (63 to 0 by -1).foldLeft(0L) { (product, bit) =>
      val doubled = (product << 1) ^ (if (product < 0) 0x1bL else 0L)
      if (((b >>> bit) & 1) == 1) doubled ^ a else doubled
    }

  /** ((w0 * h + w1) * h + ...) * h. */
  def polynomial(words: Seq[Long], h: Long): Long = words.foldLeft(0L)((sum, word) => multiply(sum ^ word, h))

  /** The 64-bit words of some bytes of memory. */
  def words(bytes: Array[Byte]): Seq[Long] =
    bytes.grouped(8).map(word => ReferenceKey.number(word).toLong).toVector

  /** The hash of 120 bits that goes into an AES input: all of one polynomial, and the lower 56 bits of another. */
  def wide(words: Seq[Long], key: ReferenceKey): Array[Byte] =
    ReferenceKey.bigEndian(polynomial(words, key.hashFirst), 8) ++
      ReferenceKey.bigEndian(polynomial(words, key.hashSecond), 7)
}
