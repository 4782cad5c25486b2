package hauberk.memory.reference

import hauberk.memory.layout.MetadataLevel

/** A line of metadata that does not verify. Level 0 is that of the lines that hold counters or tags. */
case class TreeFault(level: Int, line: BigInt) {
  override def toString: String = if (level == 0) s"metadata line $line" else s"line $line of tree level $level"
}

/** A tree over lines of metadata of a block's size: each line is guarded by an entry in a line of eight above it, and those of the last
  * level by the root table on the chip.
  *
  * @param levels where the guarded lines are, and the levels above them
  * @param root   the root table
  * @param memory the block-sized line at a bank-local address
  * @tparam Guard the value that guards a line
  */
abstract class ReferenceLineTree[Guard](
    levels: Seq[MetadataLevel],
    root: BigInt => Guard,
    memory: BigInt => Array[Byte]
) {
  private val verified = collection.mutable.Map.empty[(Int, BigInt), Either[TreeFault, Array[Byte]]]

  /** Contents of a stored line under its guard; None if it does not verify. */
  protected def content(level: Int, number: BigInt, guard: Guard, stored: Array[Byte]): Option[Array[Byte]]

  /** The entries of a line above level 0. */
  protected def guards(node: Array[Byte]): Seq[Guard]

  /** A line, if it and all that guard it verify; else the highest that does not. */
  def line(level: Int, number: BigInt): Either[TreeFault, Array[Byte]] =
    verified.getOrElseUpdate(
      (level, number),
      guard(level, number).flatMap { guard =>
        val stored = memory(levels(level).base + number * ReferenceCounters.lineBytes)
        content(level, number, guard, stored).toRight(TreeFault(level, number))
      }
    )

  private def guard(level: Int, number: BigInt): Either[TreeFault, Guard] =
    if (level == levels.size - 1) Right(root(number))
    else line(level + 1, number / 8).map(guards(_)((number % 8).toInt))
}
