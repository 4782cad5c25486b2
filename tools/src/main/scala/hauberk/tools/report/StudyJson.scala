package hauberk.tools.report

/** Studies for other programs. Slowdowns are fractions; what was not measured, or is not in the paper, is null. */
object StudyJson {
  def apply(result: StudyResult): ujson.Obj = ujson.Obj(
    "study" -> result.study.name,
    "title" -> result.study.title,
    "source" -> result.study.source,
    "note" -> result.study.note,
    "baseline" -> result.study.baseline,
    "points" -> ujson.Arr.from(result.points.map(point))
  )

  /** The figures that must be reached, with what was reached. */
  def bounds(plan: StudyPlan, results: Seq[StudyResult]): ujson.Arr = ujson.Arr.from(plan.bounds.map { bound =>
    val reached = this.reached(bound, results)
    ujson.Obj(
      "figure" -> bound.figure,
      "study" -> bound.study,
      "series" -> bound.series,
      "x" -> bound.x,
      "of" -> (if (bound.ofBusTraffic) "bus traffic" else "slowdown"),
      "at_most" -> bound.atMost,
      "measured" -> number(reached),
      "met" -> reached.exists(_ <= bound.atMost)
    )
  })

  /** What was measured of what a bound is about. */
  def reached(bound: StudyBound, results: Seq[StudyResult]): Option[Double] =
    measured(bound, results).flatMap(point => if (bound.ofBusTraffic) point.busTraffic else point.mean)

  /** The point that a bound is about. */
  def measured(bound: StudyBound, results: Seq[StudyResult]): Option[PointResult] =
    results.find(_.study.name == bound.study).flatMap(_.points.find(measured => bound.isOf(measured.point)))

  private def point(measured: PointResult) = ujson.Obj(
    "series" -> measured.point.series,
    "x" -> measured.point.x,
    "config" -> measured.point.config,
    "dram" -> measured.point.dram,
    "mean_slowdown" -> number(measured.mean),
    "worst_program" -> measured.worst.fold[ujson.Value](ujson.Null)(run => ujson.Str(run.program)),
    "worst_slowdown" -> number(measured.worst.flatMap(_.slowdown)),
    "mean_bus_traffic_increase" -> number(measured.busTraffic),
    "counter_hit_rate" -> number(measured.hitRate),
    "metadata_per_data_block" -> number(measured.metadataTraffic),
    "initialisation_cycles" -> count(measured.startUp),
    "paper" -> measured.point.paper.fold[ujson.Value](ujson.Null)(paper =>
      ujson.Obj("mean" -> number(paper.mean), "worst" -> number(paper.worst), "note" -> paper.note)
    ),
    "programs" -> ujson.Arr.from(measured.runs.map(run))
  )

  private def run(run: StudyRun) = ujson.Obj(
    "program" -> run.program,
    "cycles" -> count(run.cycles),
    "baseline_cycles" -> count(run.referenceCycles),
    "slowdown" -> number(run.slowdown),
    "bus_cycles_used" -> count(run.own.run.bus.map(_.used)),
    "bus_traffic_increase" -> number(run.busTraffic),
    "authentications" -> count(run.own.run.bus.map(_.authentications)),
    "counter_hits" -> count(Some(run.own.run.hits)),
    "counter_misses" -> count(Some(run.own.run.misses)),
    "data_blocks" -> count(Some(run.data)),
    "metadata_blocks" -> count(Some(run.metadata)),
    "dram_check" -> run.own.dramCheck
  )

  private def number(value: Option[Double]): ujson.Value = value.fold[ujson.Value](ujson.Null)(ujson.Num(_))
  private def count(value: Option[BigInt]): ujson.Value =
    value.fold[ujson.Value](ujson.Null)(n => ujson.Num(n.toDouble))
}
