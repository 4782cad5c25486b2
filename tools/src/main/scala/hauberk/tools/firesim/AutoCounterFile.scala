package hauberk.tools.firesim

import hauberk.memory.engine.EngineStatistics
import java.nio.file.Path

/** What protector and bus had counted since reset when FireSim last looked, from an `AUTOCOUNTERFILE*.csv`; nothing if it never did. */
object AutoCounterFile {
  // The first column of each line of the header, in FireSim's order
  private val header =
    Seq("version", "Clock Domain Name", "label", "\"description\"", "type", "event width", "accumulator width")
  // WithHauberkAutoCounter's name for an event, which FireSim may put before or behind where it is
  private val Label = ".*hauberk_(engine[0-9]+|bus)_([A-Za-z]+).*".r

  def read(path: Path): Counters = {
    val file = new NumberedLines(path, "AutoCounter file")
    header.zipWithIndex.foreach { case (name, index) =>
      val text = file.lines.lift(index).map(_._2).getOrElse(file.refuse(file.last, s"the header ends before '$name'"))
      if (!text.startsWith(name))
        file.refuse(index + 1, s"'$name' is expected here, and not '${text.takeWhile(_ != ',')}'")
    }
    if (!file.lines.head._2.matches("version, *1")) file.refuse(1, s"'${file.lines.head._2}' is another version than 1")
    val labels = file.lines(header.indexOf("label"))._2.split(",").toSeq
    val samples = file.lines.drop(header.size).filter(_._2.nonEmpty).map { case (line, text) =>
      val cells = text.split(",").toSeq
      if (cells.size != labels.size) file.refuse(line, s"there are ${cells.size} cells, and ${labels.size} labels")
      cells.zip(labels).map { case (cell, label) => file.number(line, label, cell.trim) }
    }
    Counters(labels.zip(samples.lastOption.getOrElse(Nil)).collect { case (Label(part, counter), value) =>
      s"$part.${register(counter)}" -> value
    }.toMap)
  }

  /** As the registers call the counter of a field: `pads` is `aes_blocks`, and what no engine has is dataSent, data_sent. */
  private def register(field: String): String = EngineStatistics.counters
    .find(_.field == field)
    .fold(field.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT))(_.name)
}
