package hauberk.memory

/** MACs of counter lines and nodes under a hash key, with a function of their cipher inputs in the place of AES. */
class LineMacs(hashKey: BigInt) {
  private val arithmetic = new TagArithmetic(Nil, 0)
  private val word = (BigInt(1) << 64) - 1

  /** The pad of a cipher input. */
  def pad(block: BigInt): BigInt = (block * BigInt("9e3779b97f4a7c15f39cc0605cedc835", 16) + 5) & word

  /** A polynomial hash of seven words, and the pad of domain 5, line, counter of the parent, and level. */
  def mac(level: Int, line: Int, counter: BigInt, payload: BigInt): BigInt =
    arithmetic.polynomial(LineWords.split(payload).take(7), hashKey) ^
      pad((BigInt(5) << 120) | (BigInt(line) << 72) | (counter << 8) | level)

  /** The line with its MAC. */
  def genuine(level: Int, line: Int, counter: BigInt, payload: BigInt): BigInt =
    (mac(level, line, counter, payload) << 448) | payload
}
