package hauberk.soc

import hauberk.tilelink.contexts.MicrocodeMemory
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

/** Command line: writes the files that are generated from the register maps, in the repository that the first argument names. With `--check` it writes
  * nothing, and fails if a file is not what it would write.
  */
object Generate {
  private val header = "tests/runtime/registers.h"
  private val documentation = "docs/soc.md"

  private val memories = Seq("MICROCODE" -> MicrocodeMemory.address)

  /** The tables of the documentation, by the name in their marker. */
  private def tables: Seq[(String, String)] =
    Device.all.map(device => s"registers of ${device.title}" -> RegisterTables.registers(device.map)) :+
      ("statistics" -> RegisterTables.statistics(Device.all))

  def main(arguments: Array[String]): Unit = {
    val top = Paths.get(arguments.head)
    val check = arguments.drop(1).contains("--check")
    val old = text(top.resolve(documentation))
    val files = Seq(header -> Right(RegisterHeader(Device.all, memories)), documentation -> splice(old, tables))
    val complaints = files.flatMap {
      case (name, Left(complaint)) => Seq(s"$name: $complaint")
      case (name, Right(content)) if content == text(top.resolve(name)) => Nil
      case (name, Right(_)) if check => Seq(s"$name is not what the register maps say: run scripts/generate")
      case (name, Right(content)) =>
        Files.write(top.resolve(name), content.getBytes(UTF_8))
        println(s"generate: wrote $name")
        Nil
    }
    complaints.foreach(complaint => Console.err.println(s"generate: $complaint"))
    if (complaints.nonEmpty) sys.exit(1)
    println(s"generate: ${files.map(_._1).mkString(" and ")} are what the register maps say")
  }

  private def text(path: Path): String = if (Files.exists(path)) new String(Files.readAllBytes(path), UTF_8) else ""

  /** A page with each table between its markers; a sentence if a marker is missing. */
  private[soc] def splice(page: String, tables: Seq[(String, String)]): Either[String, String] =
    tables.foldLeft[Either[String, String]](Right(page)) { case (done, (name, table)) =>
      done.right.flatMap { text =>
        val (begin, end) = (s"<!-- generated: $name -->\n", "<!-- end -->")
        val from = text.indexOf(begin)
        val to = text.indexOf(end, from)
        if (from < 0 || to < 0) Left(s"there is no `${begin.trim}` with an `$end`: put them where the table is to be")
        else Right(text.take(from) + begin + table + text.drop(to))
      }
    }
}
