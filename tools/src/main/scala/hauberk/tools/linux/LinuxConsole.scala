package hauberk.tools.linux

import hauberk.tools.UartLog
import hauberk.tools.firesim.NumberedLines
import java.nio.file.Path

/** A program that init ran. */
case class LinuxProgram(name: String, exitCode: Int, uart: UartLog)

/** What init of `tests/linux` wrote on the console.
  *
  * @param booted   cycles from reset until init ran
  * @param programs in their order
  * @param done     cycles from reset until the last of them had ended
  */
case class LinuxConsole(booted: Option[BigInt], programs: Seq[LinuxProgram], done: Option[BigInt])

/** Lines on the console that mark the boot, each program, and the end of the run. */
object LinuxConsole {
  private val Booted = "hauberk: booted (\\S+)".r
  private val Begin = "hauberk: begin (\\S+)".r
  private val End = "hauberk: end (\\S+) (\\S+)".r
  private val Done = "hauberk: done (\\S+)".r

  /** A program that has begun, and what was printed since. */
  private case class Open(name: String, line: Int, output: Seq[String])

  /** What was read so far; a run that did not come to its end has a console without its end, which is no bad input. */
  private case class Reading(console: LinuxConsole, open: Option[Open])

  def read(path: Path): LinuxConsole = {
    val file = new NumberedLines(path, "console log")
    val nothing = Reading(LinuxConsole(None, Nil, None), None)
    file.lines.foldLeft(nothing) { case (state, (line, text)) => step(file, state, line, text) }.console
  }

  private def step(file: NumberedLines, state: Reading, line: Int, text: String): Reading = {
    val Reading(console, open) = state
    (text, open) match {
      case (Booted(cycle), None) if console.booted.isEmpty =>
        state.copy(console = console.copy(booted = Some(file.number(line, "the cycle", cycle))))
      case (Begin(name), None) => state.copy(open = Some(Open(name, line, Nil)))
      case (End(name, code), Some(begun)) if name == begun.name =>
        val uart = UartLog.parse(begun.output.mkString("\n"))
        val ended = LinuxProgram(name, file.number(line, "the exit code", code).toInt, uart)
        Reading(console.copy(programs = console.programs :+ ended), None)
      case (Done(cycle), None) =>
        state.copy(console = console.copy(done = Some(file.number(line, "the cycle", cycle))))
      case (Booted(_) | Begin(_) | End(_, _) | Done(_), _) => file.refuse(line, s"'$text' is not expected here")
      case (_, Some(begun)) => state.copy(open = Some(begun.copy(output = begun.output :+ text)))
      case _ => state
    }
  }
}
