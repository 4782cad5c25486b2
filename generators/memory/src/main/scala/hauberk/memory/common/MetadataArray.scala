package hauberk.memory.common

import hauberk.memory.layout.TreeLeaves

/** One array of metadata, as seen in memory from outside, for instance by an adversary: lines as long as a block.
  *
  * @param kind          `counter`, `written` (a bit a block in place of a counter), `version`, `tag` or `node`
  * @param level         of nodes, 0 next to the leaves
  * @param base          bank-local address of the first line
  * @param lines         number of lines
  * @param blocksPerLine neighbouring blocks that a line is for
  * @param entryBits     one block's part of a line; 0 if that is no whole bytes, or useless without the rest of the line
  */
case class MetadataArray(kind: String, level: Int, base: BigInt, lines: BigInt, blocksPerLine: BigInt, entryBits: Int)

/** Lists the metadata arrays of a layout. */
object MetadataArray {

  /** The arrays of a bank, in the order of their addresses. */
  def of(p: Geometry): Seq[MetadataArray] = {
    val layout = p.layout
    val shape = layout.shape
    def flat(kind: String, base: BigInt, lines: BigInt, perLine: Int, shareMac: Boolean) = {
      val bits = if (perLine == 0) 0 else p.bank.blockBytes * 8 / perLine
      MetadataArray(kind, 0, base, lines, perLine, if (shareMac || bits % 8 != 0) 0 else bits)
    }
    val leaves = if (shape.leaves == TreeLeaves.TagLines) shape.tagsPerLine else shape.countersPerLine
    val nodes = layout.levels.zipWithIndex.map { case (level, i) =>
      MetadataArray("node", i, level.base, level.lines, BigInt(leaves) * BigInt(shape.arity).pow(i + 1), 0)
    }
    val counters = if (shape.countersPerLine == p.bank.blockBytes * 8) "written" else "counter"
    val guarded = p.guardsCounters
    (Seq(
      flat(counters, layout.counterBase, layout.counterLines, shape.countersPerLine, guarded),
      flat("version", layout.versionBase, layout.versionLines, shape.versionsPerLine, shareMac = false),
      flat("tag", layout.tagBase, layout.tagLines, shape.tagsPerLine, shareMac = false)
    ) ++ nodes).filter(_.lines > 0)
  }
}
