package hauberk.memory.reference

import hauberk.memory.layout.MetadataLevel

/** The cached hash tree over the lines of tags (AEGIS section 3.2.3): each line is guarded by its hash in a line of eight above it, and those
  * of the last level by the root table on the chip. Hash 0 means that the line was never written back: a node is then zero, and so is a line
  * of tags, but for those of the package, which are as memory has them because they authenticate themselves.
  *
  * @param levels where the lines of tags are, and the levels above them
  * @param keys   the dynamic keys a hash may be under: one, or while memory is being re-encrypted two, since hashes change keys when their lines
  *               are written back
  * @param extent blocks of the package in this stripe
  * @param root   the root table
  * @param memory the block-sized line at a stripe-local address
  */
class ReferenceHashTree(
    levels: Seq[MetadataLevel],
    keys: Seq[ReferenceKey],
    extent: BigInt,
    root: BigInt => Long,
    memory: BigInt => Array[Byte]
) {
  private val verified = collection.mutable.Map.empty[(Int, BigInt), Either[TreeFault, Array[Byte]]]

  /** A line, if it and all that guard it verify; else the highest that does not. */
  def line(level: Int, number: BigInt): Either[TreeFault, Array[Byte]] =
    verified.getOrElseUpdate(
      (level, number),
      parent(level, number).flatMap { hash =>
        val stored = memory(levels(level).base + number * ReferenceCounters.lineBytes)
        if (hash == 0) Right(untouched(level, number, stored))
        else if (keys.exists(ReferenceHashTree.hash(_, level, number, stored) == hash)) Right(stored)
        else Left(TreeFault(level, number))
      }
    )

  private def parent(level: Int, number: BigInt): Either[TreeFault, Long] =
    if (level == levels.size - 1) Right(root(number))
    else line(level + 1, number / 8).map(ReferenceHash.words(_)((number % 8).toInt))

  private def untouched(level: Int, number: BigInt, stored: Array[Byte]): Array[Byte] = {
    val packaged = if (level == 0) (extent - number * 8).max(0).min(8).toInt else 0
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
