package hauberk.memory.reference

import hauberk.memory.reference.ReferenceHash.{polynomial, words}
import hauberk.memory.layout.MetadataLevel

/** A line of metadata that is not what it should be. Level 0 is that of the lines that hold counters or tags. */
case class TreeFault(level: Int, line: BigInt) {
  override def toString: String = if (level == 0) s"metadata line $line" else s"line $line of tree level $level"
}

/** The MAC of a line of counters, in its last 8 bytes: over the rest, the line's place, and the counter its parent holds for it. */
object ReferenceLineMac {
  private val dataBytes = 56

  def apply(key: ReferenceKey, engine: Int, level: Int, line: BigInt, parent: BigInt, content: Array[Byte]): Long =
    polynomial(words(content.take(dataBytes)), key.hashFirst) ^
      ReferenceKey.high64(key(5, engine, line, parent, level))

  /** The line as it is written back. */
  def seal(
      key: ReferenceKey,
      engine: Int,
      level: Int,
      line: BigInt,
      parent: BigInt,
      content: Array[Byte]
  ): Array[Byte] =
    content.take(dataBytes) ++
      ReferenceKey.littleEndian(BigInt(apply(key, engine, level, line, parent, content)), 8)

  def holds(key: ReferenceKey, engine: Int, level: Int, line: BigInt, parent: BigInt, stored: Array[Byte]): Boolean =
    stored.sameElements(seal(key, engine, level, line, parent, stored))
}

/** The counter tree: every line of counters is guarded by a counter of 56 bits in a line of eight above it, and those of the last level by
  * the root table on the chip. A line whose guarding counter is 0 was never written back: it is zero, whatever memory holds.
  *
  * @param levels where the lines of counters are, and the levels above them
  * @param key    the dynamic key
  * @param root   the root table
  * @param memory the block-sized line at a stripe-local address
  */
class ReferenceTree(
    levels: Seq[MetadataLevel],
    engine: Int,
    key: ReferenceKey,
    root: BigInt => BigInt,
    memory: BigInt => Array[Byte]
) {
  private val verified = collection.mutable.Map.empty[(Int, BigInt), Either[TreeFault, Array[Byte]]]

  /** A line, if it and all that guard it verify; else the highest that does not. */
  def line(level: Int, number: BigInt): Either[TreeFault, Array[Byte]] =
    verified.getOrElseUpdate(
      (level, number),
      parent(level, number).flatMap { parent =>
        val stored = memory(levels(level).base + number * ReferenceCounters.lineBytes)
        if (parent == 0) Right(new Array[Byte](ReferenceCounters.lineBytes))
        else if (ReferenceLineMac.holds(key, engine, level, number, parent, stored)) Right(stored)
        else Left(TreeFault(level, number))
      }
    )

  private def parent(level: Int, number: BigInt): Either[TreeFault, BigInt] =
    if (level == levels.size - 1) Right(root(number))
    else line(level + 1, number / 8).map(ReferenceTree.counters(_)((number % 8).toInt))
}

/** The format of a 64-byte node: eight counters of 56 bits, then a MAC. */
object ReferenceTree {

  /** The eight counters of a node. */
  def counters(node: Array[Byte]): Seq[BigInt] = node.grouped(7).take(8).map(ReferenceKey.number).toVector

  /** A node without its MAC. */
  def node(counters: Seq[BigInt]): Array[Byte] =
    counters.flatMap(ReferenceKey.littleEndian(_, 7)).toArray ++ new Array[Byte](8)
}
