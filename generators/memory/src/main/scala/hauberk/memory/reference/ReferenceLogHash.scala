package hauberk.memory.reference

/** The log hash (AEGIS section 3.2.3): multisets of reads and of writes, each hashed to 128 bits by adding up its elements. */
object ReferenceLogHash {
  private val modulus = BigInt(1) << 128

  /** The element for one transfer of a block, domain 9.
    *
    * @param data  plaintext
    * @param version its timestamp, not 0
    */
  def element(key: ReferenceKey, block: BigInt, data: Array[Byte], version: BigInt): BigInt =
    BigInt(1, key(9, ReferenceHash.wide(block.toLong +: ReferenceHash.words(data) :+ version.toLong, key)))

  /** The accumulator after one more element. */
  def add(accumulator: BigInt, element: BigInt): BigInt = (accumulator + element) % modulus
}
