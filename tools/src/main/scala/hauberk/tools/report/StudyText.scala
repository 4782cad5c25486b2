package hauberk.tools.report

import java.util.Locale

/** Studies for people to read. */
object StudyText {

  /** One study under its title. */
  def apply(result: StudyResult): String = s"## ${result.study.title}\n\n${body(result)}"

  /** What was measured beside what the paper has, and, where nothing is swept, program by program. */
  def body(result: StudyResult): String = {
    val study = result.study
    val parts =
      Seq(s"${study.source}. ${study.note}", points(result)) ++ (if (study.sweeps) Nil else Seq(programs(result)))
    parts.mkString("\n\n")
  }

  /** The figures that must be reached. */
  def bounds(plan: StudyPlan, results: Seq[StudyResult]): String = MarkdownTable(
    Seq("figure", "bound", "measured", "worst program"),
    plan.bounds.map { bound =>
      val result = StudyJson.measured(bound, results)
      Seq(
        bound.figure,
        percent(Some(bound.atMost)),
        percent(StudyJson.reached(bound, results)),
        if (bound.ofBusTraffic) "" else result.fold("?")(worst)
      )
    }
  )

  /** What every scheme takes to start. */
  def startUp(results: Seq[StudyResult]): String = {
    val configs = results.flatMap(_.points).filter(_.startUp.isDefined)
    // Of the points of one scheme, one for every number of cycles
    val firsts =
      configs.groupBy(measured => (measured.point.config.split("_").last, measured.point.dram, measured.startUp))
        .values.map(_.head).toSeq.sortBy(configs.indexOf(_))
    val table = MarkdownTable(
      Seq("configuration", "DRAM", "cycles"),
      firsts.map { measured =>
        Seq(measured.point.config, measured.point.dram, measured.startUp.fold("?")(count => format("%,d", count)))
      }
    )
    s"## Start-up\n\nCycles from reset until the protector can be armed, apart from keys.\n\n$table"
  }

  /** What was measured at each point, beside what the paper has. */
  def points(result: StudyResult): String = {
    val columns = Seq[(String, PointResult => String)](
      "point" -> (_.point.label),
      "mean slowdown" -> (measured => percent(measured.mean)),
      "worst program" -> worst,
      "bus traffic" -> (_.busTraffic.fold("")(increase => percent(Some(increase)))),
      "counter hits" -> (_.hitRate.fold("")(rate => format("%.1f %%", 100 * rate))),
      "metadata per data block" -> (_.metadataTraffic.fold("")(traffic => format("%.3f", traffic))),
      "the paper" -> (_.point.paper.fold("")(paper))
    )
    // What no point has is no column, but for those that every memory protector has
    val told = columns.filter { case (name, text) =>
      name != "bus traffic" && result.points.forall(_.busTraffic.isEmpty) || result.points.exists(text(_).nonEmpty)
    }
    MarkdownTable(told.map(_._1), result.points.map(measured => told.map(_._2(measured))))
  }

  private def programs(result: StudyResult): String = {
    val study = result.study
    MarkdownTable(
      "program" +: study.points.map(_.label),
      study.programs.map { program =>
        program +: result.points.map(_.runs.find(_.program == program)).map(run => percent(run.flatMap(_.slowdown)))
      }
    )
  }

  private def worst(measured: PointResult): String =
    measured.worst.fold("?")(run => s"${run.program} ${percent(run.slowdown)}")

  private def paper(value: PaperValue): String = Seq(
    value.mean.map(mean => s"mean ${percent(Some(mean))}"),
    value.worst.map(worst => s"worst ${percent(Some(worst))}"),
    Some(value.note).filter(_.nonEmpty)
  ).flatten.mkString("; ")

  private def percent(fraction: Option[Double]): String = fraction.fold("?")(value => format("%+.2f %%", 100 * value))
  private def format(pattern: String, value: Any): String = pattern.formatLocal(Locale.ROOT, value)
}
