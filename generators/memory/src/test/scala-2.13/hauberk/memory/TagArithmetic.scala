package hauberk.memory

import hauberk.crypto.JdkAes

/** Hashes and tags, written out anew on the JDK's cipher and on plain polynomials: what the verifiers are compared with.
  *
  * @param keys of every slot
  */
class TagArithmetic(keys: Seq[Array[Byte]], engine: Int) {
  private val word = (BigInt(1) << 64) - 1
  private def key(slot: Int): BigInt = BigInt(1, keys(slot))
  def aes(slot: Int, block: BigInt): BigInt = JdkAes.encrypt(key(slot), 128, block)

  /** Multiplication by x, then reduction by x^64 = x^4 + x^3 + x + 1, bit by bit. */
  def multiply(a: BigInt, b: BigInt): BigInt = {
    var sum = BigInt(0)
    var shifted = a
    for (i <- 0 until 64) {
      if (b.testBit(i)) sum ^= shifted
      shifted <<= 1
      if (shifted.testBit(64)) shifted = (shifted & word) ^ 0x1b
    }
    sum
  }
  def hashKeys(slot: Int): (BigInt, BigInt) = {
    val both = aes(slot, BigInt(6) << 120)
    (both >> 64, both & word)
  }

  /** Horner's rule, from the first word. */
  def polynomial(message: Seq[BigInt], h: BigInt): BigInt = message.foldLeft(BigInt(0))((a, w) => multiply(a ^ w, h))
  def digest(message: Seq[BigInt], slot: Int): (BigInt, BigInt) = {
    val (first, second) = hashKeys(slot)
    (polynomial(message, first), polynomial(message, second))
  }
  def long(domain: Int, message: Seq[BigInt], slot: Int): BigInt = {
    val (first, second) = digest(message, slot)
    aes(slot, BigInt(domain) << 120 | first << 56 | (second & ((BigInt(1) << 56) - 1)))
  }
  private def nonZero(tag: BigInt): BigInt = if (tag == 0) 1 else tag
  private def pad(slot: Int, domain: Int, block: BigInt, counter: BigInt): BigInt =
    aes(slot, BigInt(domain) << 120 | BigInt(engine) << 112 | block << 72 | counter << 8) >> 64
  def tag(block: BigInt, counter: BigInt, words: Seq[BigInt], slot: Int = 1): BigInt =
    nonZero(polynomial(words, hashKeys(slot)._1) ^ pad(slot, 3, block, counter))
  def imageTag(block: BigInt, imageBlocks: BigInt, words: Seq[BigInt]): BigInt =
    nonZero(polynomial(words, hashKeys(0)._1) ^ pad(0, 4, block, imageBlocks))
  def lineHash(level: Int, line: BigInt, words: Seq[BigInt], slot: Int = 1): BigInt =
    nonZero(long(8, (BigInt(level) << 56 | line) +: words, slot) >> 64)
}
