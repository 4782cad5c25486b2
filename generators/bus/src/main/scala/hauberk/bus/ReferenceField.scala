package hauberk.bus

/** GF(2^128) and GHASH as NIST SP 800-38D has them (sections 6.3 and 6.4), a bit at a time. A block's most significant bit is the
  * coefficient of 1.
  */
object ReferenceField {

  /** 11100001 and 120 zeros: x^128. */
  private val reduction = BigInt(0xe1) << 120

  def multiply(x: BigInt, y: BigInt): BigInt =
    (0 until 128).foldLeft((BigInt(0), y)) { case ((sum, shifted), i) =>
      val added = if (x.testBit(127 - i)) sum ^ shifted else sum
      (added, if (shifted.testBit(0)) (shifted >> 1) ^ reduction else shifted >> 1)
    }._1

  /** ((b0 * h + b1) * h + ...) * h, from a sum that may not be empty. */
  def hash(h: BigInt, blocks: Seq[BigInt], sum: BigInt = 0): BigInt =
    blocks.foldLeft(sum)((before, block) => multiply(before ^ block, h))
}
