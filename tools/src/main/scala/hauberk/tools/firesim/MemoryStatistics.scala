package hauberk.tools.firesim

import java.nio.file.Path

/** What FireSim's model of DRAM counted over the whole run of a node, from a `memory_stats*.csv`; its own words, `totalReads` and so on, each
  * as often as the counter wrapped around.
  */
case class MemoryStatistics(counts: Map[String, BigInt])

/** Reads the samples of the memory model, whose counters wrap at 32 bits. */
object MemoryStatistics {
  // The model's counters
  private val wrap = BigInt(1) << 32

  def read(path: Path): MemoryStatistics = {
    val file = new NumberedLines(path, "memory statistics")
    val table = file.lines.filter(_._2.nonEmpty).map { case (line, text) => (line, text.split(",").toSeq.map(_.trim)) }
    val (_, names) = table.headOption.getOrElse(file.refuse(1, "there is no header"))
    val samples = table.tail.map { case (line, cells) =>
      if (cells.size != names.size) file.refuse(line, s"there are ${cells.size} cells, and ${names.size} in the header")
      cells.zip(names).map { case (cell, name) => file.number(line, name, cell) }
    }
    // The first is of reset
    if (samples.size < 2) file.refuse(file.last, "there is no sample after the first: lower profile_interval")
    val counted = samples.zip(samples.drop(1)).map { case (from, to) =>
      to.zip(from).map { case (later, sooner) => (later - sooner).mod(wrap) }
    }
    MemoryStatistics(names.zip((samples.take(1) ++ counted).transpose.map(_.sum)).toMap)
  }
}
