package hauberk.tools.linux

import hauberk.tools.report.{BarChart, DemoText, MarkdownTable}
import java.util.Locale

/** Linux's runs for people to read. */
class LinuxText(results: LinuxResults) {
  private val others = results.runs.filterNot(_.isBaseline)

  /** From boot to power-off, configuration by configuration. */
  def overview: String = MarkdownTable(
    Seq("config", "boot cycles", "overhead", "total cycles", "overhead", "counter hits") ++
      Seq("pages used", "in plaintext", "DRAM check", "seconds", "kHz"),
    results.runs.map { run =>
      val Seq(boot, total) = Seq(results.measures.head, results.measures.last)
      Seq(
        name(run),
        count(run.console.booted),
        percent(results.overhead(run, boot)),
        count(Some(run.cycles)),
        percent(results.overhead(run, total)),
        run.hitRate.fold("")(rate => "%.1f %%".formatLocal(Locale.ROOT, 100 * rate)),
        count(run.check.map(_.pagesUsed)),
        count(run.check.map(_.plaintextPages)),
        run.check.fold("not made")(_.verdict),
        "%.0f".formatLocal(Locale.ROOT, run.wallSeconds),
        "%.0f".formatLocal(Locale.ROOT, run.kiloHertz)
      )
    }
  )

  /** What protection costs, program by program. */
  def programs: String = {
    val bases = results.runs.filter(_.isBaseline)
    MarkdownTable(
      "program" +: (bases.map(run => s"${name(run)} cycles") ++ others.map(run => s"${name(run)} overhead")),
      results.programs.map(program =>
        program +: (bases.map(run => count(results.cycles(run, program))) ++
          others.map(run => percent(results.overhead(run, program))))
      )
    )
  }

  /** The whole report, in Markdown. */
  def report: String = Seq(
    "# Linux on ciphertext",
    "From reset to power-off in Verilator. Overheads are cycles added against the same SoC unprotected, with as many cores and the same L2 and bus; kHz is by CPU " +
      "time. Pages are of 4 KiB: used are those that are not zero at the end, for DRAM was zero at the start.",
    overview,
    "## The programs",
    "Cycles that each program measures of its own work, as without an operating system.",
    programs
  ).mkString("", "\n\n", "\n")

  /** The overheads as bars, as SVG; none if there is nothing to compare. */
  def plot: Option[String] = {
    val series = others.filter(results.baseline(_).isDefined).map(run =>
      name(run) -> results.measures.map(results.overhead(run, _).map(100 * _))
    )
    if (series.isEmpty) None
    else Some(
      BarChart(
        title = "What memory encryption costs under Linux",
        xAxis = "",
        yAxis = "cycles added to the same SoC unprotected (%)",
        groups = results.measures,
        series = series
      ).svg
    )
  }

  private def name(run: LinuxRun) = DemoText.shortName(run.config)
  private def count(value: Option[BigInt]) = value.fold("?")("%,d".formatLocal(Locale.ROOT, _))
  private def percent(value: Option[Double]) =
    value.fold("")(fraction => "%+.1f %%".formatLocal(Locale.ROOT, 100 * fraction))
}
