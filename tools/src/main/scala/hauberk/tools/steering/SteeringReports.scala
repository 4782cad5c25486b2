package hauberk.tools.steering

import hauberk.tools.{JsonFile, UserError}
import java.nio.file.{Files, Path}

/** What `hauberk-steer build` says of a program.
  *
  * @param right            reads whose hint is right, of those of the profile; so are the others
  * @param rightWithoutHint of those without a hint, the reads whose pair is expected all the same
  * @param growth           of the code, in percent
  * @param registers        for 100, 99 and 98 % of the loads: with sharing across functions, within functions, and without
  * @param ids              the same with sharing across functions, and without
  */
case class SteeringReport(
    total: BigInt,
    right: BigInt,
    wrong: BigInt,
    notApplied: BigInt,
    rightWithoutHint: BigInt,
    growth: Double,
    registers: Seq[String],
    ids: Seq[String],
    writes: BigInt,
    globalWrites: BigInt,
    largestRegister: BigInt
) {

  /** So many of the reads, in percent; 0 if there were none. */
  def percentOf(reads: BigInt): Double = (BigDecimal(100 * reads) / BigDecimal(total.max(1))).toDouble
}

/** A program of the study, with the cells that the paper has for it in tables 2, 3 and 4. */
case class SteeredProgram(
    name: String,
    reports: Seq[Option[SteeringReport]],
    registers: Seq[String],
    ids: Seq[String],
    millions: Seq[String]
)

/** The reports of a study, for each program one of each series. */
case class SteeringReports(series: Seq[String], programs: Seq[SteeredProgram]) {
  def problems: Seq[String] = for {
    program <- programs
    (report, name) <- program.reports.zip(series)
    if report.isEmpty
  } yield s"there is no report of ${program.name} with $name"
}

/** Reads reports and what the paper has. */
object SteeringReports {
  val thresholds: Seq[String] = Seq("100", "99", "98")

  /** @param folder holds CONFIG/PROGRAM-SIZE.json
    * @param plan   series, programs and the paper's tables: bench/papers/nagarajan.json
    */
  def read(folder: Path, plan: Path): SteeringReports = {
    val json = JsonFile.read(plan, "plan of the steered programs")
    val size = json.text("size")
    val series = json.children("series")
    SteeringReports(
      series.map(_.text("name")),
      json.children("programs").map { program =>
        def cells(name: String, count: Int) = {
          val found = program.texts(name)
          UserError.unless(found.size == count)(s"$plan has ${found.size} cells of $name for a program, not $count")
          found
        }
        val name = program.text("name")
        SteeredProgram(
          name,
          series.map(of => report(folder.resolve(of.text("config")).resolve(s"$name-$size.json"))),
          cells("registers", thresholds.size),
          cells("ids", thresholds.size),
          cells("millions", 3)
        )
      }
    )
  }

  private def report(path: Path): Option[SteeringReport] = if (!Files.exists(path)) None
  else {
    val json = JsonFile.read(path, "report of hauberk-steer")
    val (loads, counters, needs) = (json.child("loads"), json.child("counters"), json.child("needs"))
    def needed(names: String*) = thresholds.map(t => names.map(needs.child(t).int(_)).mkString(":"))
    Some(
      SteeringReport(
        loads.number("total"),
        loads.number("right"),
        loads.number("wrong"),
        loads.number("notApplied"),
        loads.number("rightWithoutHint"),
        json.child("code").fraction("growth"),
        needed("registers_across", "registers_within", "registers_none"),
        needed("ids_across", "ids_none"),
        counters.number("writes"),
        counters.number("global"),
        counters.number("largestRegister")
      )
    )
  }
}
