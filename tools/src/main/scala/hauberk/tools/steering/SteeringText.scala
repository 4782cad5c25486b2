package hauberk.tools.steering

import hauberk.tools.report.{BarChart, MarkdownTable}
import java.util.Locale

/** Figures 9 and 10, and tables 2, 3 and 4, of Nagarajan et al., beside the paper's. */
class SteeringText(reports: SteeringReports) {
  private val names = reports.programs.map(_.name)

  /** Figure 9: what became of the loads, of the profile. */
  def loads: String = {
    val columns = Seq[(String, SteeringReport => BigInt)](
      "right" -> (_.right),
      "wrong" -> (_.wrong),
      "no hint" -> (_.notApplied),
      "of these right" -> (_.rightWithoutHint)
    )
    val tables = reports.series.zipWithIndex.map { case (name, at) =>
      val rows = reports.programs.map(program =>
        program.name +: columns.map { case (_, count) =>
          program.reports(at).fold("?")(of => percent(of.percentOf(count(of))))
        }
      )
      s"$name:\n\n${MarkdownTable("program" +: columns.map(_._1), rows :+ ("mean" +: columns.map(column => mean(at, column._2))))}"
    }
    tables.mkString("\n\n")
  }

  /** Right loads, with a hint or without. */
  def loadsPlot: String =
    plot("Loads whose pad is right", "loads (%)")(of => of.percentOf(of.right + of.rightWithoutHint))

  /** Figure 10: how much the code grows. */
  def code: String = MarkdownTable(
    "program" +: reports.series,
    reports.programs.map(program => program.name +: program.reports.map(_.fold("?")(of => s"+${percent(of.growth)}")))
  )
  def codePlot: String = plot("Growth of the code", "growth (%)")(_.growth)

  /** Tables 2, 3 and 4. */
  def tables: String = {
    def shared(title: String, own: SteeringReport => Seq[String], paper: SteeredProgram => Seq[String]) = {
      val header = SteeringReports.thresholds.map(_ + " %")
      val rows = reports.programs.map(program =>
        program.name +: (program.reports.head.fold(header.map(_ => "?"))(own) ++ paper(program))
      )
      s"$title\n\n${MarkdownTable("program" +: (header ++ header.map("paper, " + _)), rows)}"
    }
    val counters = reports.programs.map { program =>
      val own = program.reports.head.fold(Seq("?", "?", "?"))(of =>
        Seq(of.writes, of.globalWrites, of.largestRegister).map(count => format("%,d", count))
      )
      program.name +: (own ++ program.millions)
    }
    Seq(
      shared("Table 2, registers (shared across functions : within functions : not shared):", _.registers, _.registers),
      shared("Table 3, ids (shared : not shared):", _.ids, _.ids),
      "Table 4, largest counters; the paper's in millions:\n\n" + MarkdownTable(
        Seq("program", "global only", "global", "register", "paper, global only", "paper, global", "paper, register"),
        counters
      )
    ).mkString("\n\n")
  }

  private def mean(at: Int, count: SteeringReport => BigInt): String = {
    val shares = reports.programs.flatMap(_.reports(at)).map(of => of.percentOf(count(of)))
    if (shares.isEmpty) "?" else percent(shares.sum / shares.size)
  }
  private def plot(title: String, axis: String)(height: SteeringReport => Double): String = {
    val series = reports.series.zipWithIndex.map { case (name, at) =>
      name -> reports.programs.map(_.reports(at).map(height))
    }
    BarChart(title, "program", axis, names, series).svg
  }
  private def percent(value: Double): String = format("%.1f %%", value)
  private def format(pattern: String, value: Any): String = pattern.formatLocal(Locale.ROOT, value)
}
