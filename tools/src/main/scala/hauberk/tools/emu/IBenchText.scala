package hauberk.tools.emu

import hauberk.tools.report.{BarChart, MarkdownTable}
import java.util.Locale

/** iBench's study for people and for programs. */
class IBenchText(study: IBenchStudy) {
  private def format(pattern: String, value: Any): String = pattern.formatLocal(Locale.ROOT, value)
  private val sizes = study.none.fetches.map(_.kib)

  /** Figure 5: latency by footprint. */
  def latencies: String = MarkdownTable(
    "cycles" +: sizes.map(kib => s"$kib KiB") :+ "never cached",
    study.profiles.map(run =>
      (run.profile +: run.fetches.map(line => format("%.2f", line.perStep))) :+ format("%.3f", run.miss)
    ) :+ (("loads (lat_mem_rd)" +: study.none.loads.map(line => format("%.2f", line.perStep))) :+ "")
  )

  /** Figure 6: slowdown by load, beside the model. */
  def slowdowns: String = MarkdownTable(
    Seq("mode, tasks", "measured", "equation 8", "error"),
    study.slowdowns.map(row =>
      Seq(
        s"${row.mode}, ${row.tasks}",
        format("%.4f", row.measured),
        format("%.4f", row.predicted),
        format("%.2f %%", 100 * row.error)
      )
    )
  )

  def figures: String = MarkdownTable(
    Seq("figure", "measured", "bound"),
    study.figures.map { case (what, value, bound) =>
      Seq(what, format("%.4f", value), bound.fold("reported")(bound => s"at most $bound"))
    }
  )

  def report: String =
    s"$figures\n\n### Latency of a branch a line\n\n$latencies\n\n### Sealed tasks against the same in plaintext\n\n$slowdowns\n"

  def plot: String = BarChart(
    "iBench: a branch in every line",
    "footprint",
    "cycles per branch",
    sizes.map(kib => s"$kib KiB"),
    study.profiles.map(run => run.profile -> run.fetches.map(line => Option(line.perStep)))
  ).svg

  def json: ujson.Value = ujson.Obj(
    "command" -> "make ibench",
    "figures" -> ujson.Arr.from(study.figures.map { case (what, value, bound) =>
      ujson.Obj("figure" -> what, "value" -> value, "bound" -> bound.fold[ujson.Value](ujson.Null)(ujson.Num(_)))
    }),
    "profiles" -> ujson.Arr.from(study.profiles.map(run =>
      ujson.Obj(
        "profile" -> run.profile,
        "lines" -> ujson.Arr.from(run.lines.map(line =>
          ujson.Obj(
            "what" -> line.what,
            "kib" -> line.kib,
            "tasks" -> line.tasks,
            "cycles" -> line.cycles.toDouble,
            "steps" -> line.steps.toDouble
          )
        ))
      )
    )),
    "slowdowns" -> ujson.Arr.from(study.slowdowns.map(row =>
      ujson.Obj(
        "mode" -> row.mode,
        "tasks" -> row.tasks,
        "measured" -> row.measured,
        "predicted" -> row.predicted,
        "error" -> row.error
      )
    ))
  )
}
