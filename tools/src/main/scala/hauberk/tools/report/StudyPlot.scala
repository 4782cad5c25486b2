package hauberk.tools.report

/** A study as bars: grouped by what is swept, or by program where nothing is. */
object StudyPlot {
  def apply(result: StudyResult): String = {
    val study = result.study
    val (axis, groups, series) =
      if (study.sweeps) (study.xAxis, study.points.map(_.x).distinct, swept(result))
      else ("program", study.programs :+ "geometric mean", byProgram(result))
    BarChart(study.title, axis, "slowdown (%)", groups, series).svg
  }

  private def swept(result: StudyResult): Seq[(String, Seq[Option[Double]])] = {
    val groups = result.study.points.map(_.x).distinct
    result.study.points.map(_.series).distinct.map { series =>
      series -> groups.map(x =>
        result.points.find(measured => measured.point.series == series && measured.point.x == x).flatMap(_.mean).map(
          100 * _
        )
      )
    }
  }

  private def byProgram(result: StudyResult): Seq[(String, Seq[Option[Double]])] = result.points.map { measured =>
    val bars = result.study.programs.map(program => measured.runs.find(_.program == program).flatMap(_.slowdown))
    measured.point.label -> (bars :+ measured.mean).map(_.map(100 * _))
  }
}
