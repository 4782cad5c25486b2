package hauberk.tools.firesim

import hauberk.tools.{Files, UserError}
import java.nio.file.Path

/** A text file by lines, with errors that name the file and the line.
  *
  * @param what what the file is, for messages
  */
class NumberedLines(path: Path, what: String) {

  /** The lines, each with its number, without what ends them on a console or in a file. */
  val lines: Seq[(Int, String)] =
    Files.readText(path, what).split("\n").toSeq.map(_.stripLineEnd.trim).zipWithIndex.map { case (line, index) =>
      (index + 1, line)
    }

  def last: Int = lines.last._1

  def refuse(line: Int, problem: String): Nothing = throw new UserError(s"$path, line $line: $problem")

  /** A number in decimal, not negative, of a line. */
  def number(line: Int, what: String, text: String): BigInt =
    if (text.nonEmpty && text.forall(c => c >= '0' && c <= '9')) BigInt(text)
    else refuse(line, s"$what is '$text', which is no number")
}
