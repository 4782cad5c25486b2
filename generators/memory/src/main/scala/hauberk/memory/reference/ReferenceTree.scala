package hauberk.memory.reference

import hauberk.memory.reference.ReferenceHash.{polynomial, words}
import hauberk.memory.layout.MetadataLevel

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
  * the root table on the chip. A line whose guarding counter is 0 was never written back: it is zero, whatever its contents in memory.
  *
  * @param key the dynamic key
  */
class ReferenceTree(
    levels: Seq[MetadataLevel],
    engine: Int,
    key: ReferenceKey,
    root: BigInt => BigInt,
    memory: BigInt => Array[Byte]
) extends ReferenceLineTree[BigInt](levels, root, memory) {
  protected def content(level: Int, number: BigInt, guard: BigInt, stored: Array[Byte]): Option[Array[Byte]] =
    if (guard == 0) Some(new Array[Byte](ReferenceCounters.lineBytes))
    else if (ReferenceLineMac.holds(key, engine, level, number, guard, stored)) Some(stored)
    else None

  protected def guards(node: Array[Byte]): Seq[BigInt] = ReferenceTree.counters(node)
}

/** The format of a 64-byte node: eight counters of 56 bits, then a MAC. */
object ReferenceTree {

  /** The eight counters of a node. */
  def counters(node: Array[Byte]): Seq[BigInt] = node.grouped(7).take(8).map(ReferenceKey.number).toVector

  /** A node without its MAC. */
  def node(counters: Seq[BigInt]): Array[Byte] =
    counters.flatMap(ReferenceKey.littleEndian(_, 7)).toArray ++ new Array[Byte](8)
}
