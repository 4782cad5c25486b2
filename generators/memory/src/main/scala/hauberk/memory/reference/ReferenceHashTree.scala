package hauberk.memory.reference

import hauberk.memory.layout.MetadataLevel

/** The cached hash tree over the lines of tags (AEGIS section 3.2.3): each line is guarded by its hash in a line of eight above it, and those
  * of the last level by the root table on the chip. Hash 0 means that the line was never written back: a node is then zero, and so is a line
  * of tags, but for those of the package, which are as memory has them because they authenticate themselves.
  *
  * @param keys   the dynamic keys a hash may be under: one, or while memory is being re-encrypted two, since hashes change keys when their lines
  *               are written back
  * @param imageBlocks blocks of the package in this bank
  */
class ReferenceHashTree(
    levels: Seq[MetadataLevel],
    keys: Seq[ReferenceKey],
    imageBlocks: BigInt,
    root: BigInt => Long,
    memory: BigInt => Array[Byte]
) extends ReferenceLineTree[Long](levels, root, memory) {
  protected def content(level: Int, number: BigInt, guard: Long, stored: Array[Byte]): Option[Array[Byte]] =
    if (guard == 0) Some(untouched(level, number, stored))
    else if (keys.exists(ReferenceHashTree.hash(_, level, number, stored) == guard)) Some(stored)
    else None

  protected def guards(node: Array[Byte]): Seq[Long] = ReferenceHash.words(node)

  private def untouched(level: Int, number: BigInt, stored: Array[Byte]): Array[Byte] = {
    val packaged = if (level == 0) (imageBlocks - number * 8).max(0).min(8).toInt else 0
    stored.take(8 * packaged).padTo(ReferenceCounters.lineBytes, 0.toByte)
  }
}

/** The hash of one 64-byte line, bound to its level and number. */
object ReferenceHashTree {

  /** Of line `number` of a level, domain 8. */
  def hash(key: ReferenceKey, level: Int, number: BigInt, line: Array[Byte]): Long = {
    val place = (level.toLong << 56) | number.toLong
    ReferenceTag.notZero(
      ReferenceKey.high64(key(8, ReferenceHash.wide(place +: ReferenceHash.words(line), key)))
    )
  }
}
