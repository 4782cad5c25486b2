package hauberk.memory

import hauberk.memory.integrity.HashTree

/** The lines in memory on which the verdict on a block rests: its own first, then its counters', its tags', and nodes up to the last level below the root. */
object VerdictLines {
  def apply(p: Protection, block: Int): Seq[Int] = {
    val (counter, tag) = (p.layout.counterAddress(block) / 64, p.layout.tagAddress(block) / 64)
    val leaf = p.params.integrity match {
      case _: HashTree => tag - p.layout.tagBase / 64
      case _ => counter - p.layout.counterBase / 64
    }
    val nodes = p.layout.levels.zipWithIndex.map { case (level, i) => level.base / 64 + (leaf >> (3 * (i + 1))) }
    (Seq(BigInt(block), counter, tag) ++ nodes).map(_.toInt)
  }
}
