package hauberk.tools.firesim

import hauberk.tools.UartLog
import java.nio.file.Path
import scala.util.matching.Regex

/** A program that Linux ran, from the section that `run-programs` printed of it.
  *
  * @param counters what protector and bus counted meanwhile
  */
case class ProgramSection(program: String, exitCode: Int, uart: UartLog, counters: Counters)

/** How FireSim's driver ended.
  *
  * @param cycles target cycles in all
  */
case class SimulationEnd(exitCode: Int, cycles: BigInt)

/** The console of a node, FireSim's `uartlog`: what the target wrote, and the driver. */
class ConsoleLog(path: Path) {
  private val file = new NumberedLines(path, "console log")

  /** None if FireSim was stopped before the target powered off. */
  def end: Option[SimulationEnd] = file.lines.collectFirst {
    case (line, ConsoleLog.Passed(cycles)) => SimulationEnd(0, file.number(line, "cycles", cycles))
    case (line, ConsoleLog.Failed(code, cycles)) =>
      SimulationEnd(file.number(line, "code", code).toInt, file.number(line, "cycles", cycles))
    case (line, ConsoleLog.TimedOut(cycles)) =>
      file.refuse(line, s"the simulation was stopped after $cycles cycles: raise +max-cycles")
  }

  /** The one program that ran without an operating system. */
  def bareMetal: (Int, UartLog) = {
    file.lines.foreach { case (line, text) => wellFormed(line, text) }
    val ended = end.getOrElse(file.refuse(file.last, "the log ends before the simulation does"))
    (ended.exitCode, uart(file.lines.map(_._2)))
  }

  /** The programs that Linux ran, in their order. */
  def sections: Seq[ProgramSection] = {
    val read = file.lines.foldLeft(Reading(Nil, None, done = false)) { case (state, (line, text)) =>
      step(state, line, text)
    }
    read.open.foreach(open => file.refuse(open.line, s"${open.program} begins here and never ends"))
    if (!read.done) file.refuse(file.last, "the log ends without 'hauberk: done'")
    read.sections
  }

  /** A section that has begun.
    *
    * @param before what was counted before; none if nothing said so
    */
  private case class Open(
      program: String,
      line: Int,
      before: Option[Counters],
      after: Option[Counters],
      output: Seq[String]
  )

  /** The state after a line: closed sections, the open one, and whether the last line has come. */
  private case class Reading(sections: Seq[ProgramSection], open: Option[Open], done: Boolean)

  private def step(state: Reading, line: Int, text: String): Reading = (text, state.open) match {
    case (ConsoleLog.Begin(program), None) if !state.done =>
      state.copy(open = Some(Open(program, line, None, None, Nil)))
    case (ConsoleLog.Before(name, value), Some(open)) if open.after.isEmpty =>
      state.copy(open = Some(open.copy(before = Some(counted(line, open.before, name, value)))))
    case (ConsoleLog.After(name, value), Some(open)) =>
      state.copy(open = Some(open.copy(after = Some(counted(line, open.after, name, value)))))
    case (ConsoleLog.End(program, code), Some(open)) if program == open.program =>
      state.copy(sections = state.sections :+ close(line, open, code), open = None)
    case (ConsoleLog.Done(), None) if !state.done => state.copy(done = true)
    case _ if text.startsWith("hauberk:") => file.refuse(line, s"'$text' is not expected here")
    case (_, Some(open)) =>
      wellFormed(line, text)
      state.copy(open = Some(open.copy(output = open.output :+ text)))
    case _ => state
  }

  private def counted(line: Int, so: Option[Counters], name: String, value: String): Counters = {
    val counters = so.getOrElse(Counters.none)
    if (name == "protection" && value == "none") counters
    else if (counters.values.contains(name)) file.refuse(line, s"$name is there twice")
    else Counters(counters.values + (name -> file.number(line, name, value)))
  }

  private def close(line: Int, open: Open, code: String): ProgramSection = {
    def said(counters: Option[Counters], when: String) =
      counters.getOrElse(file.refuse(line, s"nothing was counted $when ${open.program}: the program statistics failed"))
    val (before, after) = (said(open.before, "before"), said(open.after, "after"))
    if (before.values.keySet != after.values.keySet)
      file.refuse(line, s"other counters were read after ${open.program} than before it")
    val during = after.since(before)
    during.values.find(_._2 < 0).foreach { case (name, _) =>
      file.refuse(line, s"$name went down during ${open.program}")
    }
    ProgramSection(open.program, file.number(line, "exit code", code).toInt, uart(open.output), during)
  }

  private def uart(lines: Seq[String]): UartLog = UartLog.parse(lines.mkString("\n"))

  /** What a program says of itself must not be garbled, since it would be taken for missing. */
  private def wellFormed(line: Int, text: String): Unit = text.split(" +").toSeq match {
    case Seq("checksum", value) if !value.matches("[0-9a-f]{16}") => file.refuse(line, s"'$text' is no checksum")
    case Seq(name @ ("cycles" | "instret"), value) => file.number(line, name, value)
    case _ =>
  }
}

/** Lines that programs and the simulation driver print. */
object ConsoleLog {
  private val Begin = "hauberk: begin (\\S+)".r
  private val Before = "hauberk: before (\\S+) (\\S+)".r
  private val After = "hauberk: after (\\S+) (\\S+)".r
  private val End = "hauberk: end (\\S+) (\\S+)".r
  private val Done = "hauberk: done".r
  private val Passed: Regex = "\\*\\*\\* PASSED \\*\\*\\* after (\\d+) cycles".r
  private val Failed: Regex = "\\*\\*\\* FAILED \\*\\*\\* \\(code = (\\d+)\\) after (\\d+) cycles".r
  private val TimedOut: Regex = "\\*\\*\\* FAILED \\*\\*\\* simulation timed out after (\\d+) cycles".r
}
