package hauberk.tools.report

import hauberk.tools.{JsonFile, UserError}
import java.nio.file.Path

/** What a paper has at a point, as fractions; what its text does not say is none.
  *
  * @param note anything else, in the paper's words or about them
  */
case class PaperValue(mean: Option[Double], worst: Option[Double], note: String)

/** One bar of a paper's figure, or one series of bars.
  *
  * @param series what is compared
  * @param x      where it stands on the swept axis; empty where nothing is swept
  * @param config the configuration that is measured
  * @param dram   name of the DRAM timing; also the folder of its runs
  * @param baseline the same SoC unprotected
  */
case class StudyPoint(
    series: String,
    x: String,
    config: String,
    dram: String,
    baseline: String,
    paper: Option[PaperValue]
) {
  def label: String = if (x.isEmpty) series else s"$series, $x"
}

/** A figure of a paper, and what is measured for it.
  *
  * @param name     names the files of its results
  * @param source   paper and figure
  * @param note     how the measurement differs from the paper's
  * @param xAxis    what is swept; empty for nothing, and then the programs are the groups of bars
  * @param baseline the same SoC unprotected, for points that do not name another one
  */
case class Study(
    name: String,
    title: String,
    source: String,
    note: String,
    xAxis: String,
    baseline: String,
    programs: Seq[String],
    points: Seq[StudyPoint]
) {
  def sweeps: Boolean = xAxis.nonEmpty
}

/** A figure that must be reached by a point of a study: its mean slowdown, or how much more it used the bus.
  *
  * @param x where the point stands on the swept axis; empty for the first of its series
  */
case class StudyBound(figure: String, study: String, series: String, x: String, ofBusTraffic: Boolean, atMost: Double) {
  def isOf(point: StudyPoint): Boolean = point.series == series && (x.isEmpty || point.x == x)
}

/** All studies, under a title. */
case class StudyPlan(title: String, studies: Seq[Study], bounds: Seq[StudyBound])

/** Reads plans of studies from JSON. */
object StudyPlan {

  /** Reads a plan (`bench/papers/studies.json`, `bench/presets/studies.json`), all of it or the studies named. */
  def read(path: Path, wanted: Seq[String]): StudyPlan = {
    val json = JsonFile.read(path, "plan of the studies")
    val programs = json.child("programs")
    val all = json.children("studies").map(study(_, programs))
    val names = all.map(_.name)
    UserError.unless(
      names.distinct.size == names.size
    )(s"$path has two studies of one name among ${names.mkString(", ")}")
    wanted.filterNot(names.contains(_)).foreach(unknown =>
      throw new UserError(s"there is no study $unknown: choose among ${names.mkString(", ")}")
    )
    val chosen = if (wanted.isEmpty) all else all.filter(study => wanted.contains(study.name))
    val bounds = json.children("bounds").map(bound)
    bounds.foreach { bound =>
      val found = all.find(_.name == bound.study).exists(_.points.exists(bound.isOf))
      UserError.unless(found)(s"$path bounds ${bound.series} in the study ${bound.study}, which has no such point")
    }
    StudyPlan(json.text("title"), chosen, bounds.filter(bound => chosen.exists(_.name == bound.study)))
  }

  private def study(json: JsonFile, programs: JsonFile): Study = Study(
    json.text("name"),
    json.text("title"),
    json.text("source"),
    json.text("note"),
    json.text("x_axis"),
    json.text("baseline"),
    programs.texts(json.text("programs")),
    json.children("points").map { point =>
      StudyPoint(
        point.text("series"),
        if (point.has("x")) point.text("x") else "",
        point.text("config"),
        if (point.has("dram")) point.text("dram") else json.text("dram"),
        if (point.has("baseline")) point.text("baseline") else json.text("baseline"),
        if (point.has("paper")) Some(paper(point.child("paper"))) else None
      )
    }
  )

  private def paper(json: JsonFile) = {
    def optional(name: String) = if (json.has(name)) Some(json.fraction(name)) else None
    PaperValue(optional("mean"), optional("worst"), if (json.has("note")) json.text("note") else "")
  }

  private def bound(json: JsonFile) = StudyBound(
    json.text("figure"),
    json.text("study"),
    json.text("series"),
    if (json.has("x")) json.text("x") else "",
    json.has("of") && json.text("of") == "bus traffic",
    json.fraction("at_most")
  )
}
