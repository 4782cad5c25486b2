package hauberk.tools

import hauberk.memory._

/** The cached hash tree of a memory that is being re-encrypted: as [[hauberk.memory.ReferenceHashTree]], but a hash may be under the new key
  * or under the old one, because hashes change keys when their lines are written back.
  *
  * @param levels where the lines of tags are, and the levels above them
  * @param keys   the keys that a hash may be under
  * @param extent blocks of the package in this stripe
  * @param root   whether a line of the last level was ever written back
  * @param memory the block-sized line at a stripe-local address
  */
class RekeyedHashTree(
    levels: Seq[MetadataLevel],
    keys: Seq[ReferenceKey],
    extent: BigInt,
    root: BigInt => Boolean,
    memory: BigInt => Array[Byte]
) {
  private val verified = collection.mutable.Map.empty[(Int, BigInt), Either[TreeFault, Array[Byte]]]
  private def stored(level: Int, number: BigInt) = memory(levels(level).base + number * ReferenceCounters.lineBytes)

  /** A line, if it and all that guard it verify; else the highest that does not. */
  def line(level: Int, number: BigInt): Either[TreeFault, Array[Byte]] =
    verified.getOrElseUpdate(
      (level, number),
      // The root is on the chip: in a dump, every line that was written back has the hash it should have there
      if (level == levels.size - 1) Right(if (root(number)) stored(level, number) else untouched(level, number))
      else line(level + 1, number / 8).flatMap { node =>
        val hash = ReferenceHash.words(node)((number % 8).toInt)
        val found = stored(level, number)
        if (hash == 0) Right(untouched(level, number))
        else if (keys.exists(ReferenceHashTree.hash(_, level, number, found) == hash)) Right(found)
        else Left(TreeFault(level, number))
      }
    )

  private def untouched(level: Int, number: BigInt): Array[Byte] = {
    val packaged = if (level == 0) (extent - number * 8).max(0).min(8).toInt else 0
    stored(level, number).take(8 * packaged).padTo(ReferenceCounters.lineBytes, 0.toByte)
  }
}
