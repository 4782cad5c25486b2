package hauberk.tools.emu

import hauberk.tools.{Files, UserError}
import java.nio.file.Path

/** Cycles for so many steps, each a branch or a load, over a footprint.
  *
  * @param kib   the footprint, of each task
  * @param tasks how many take turns
  */
case class IBenchLine(what: String, kib: Int, tasks: Int, cycles: Long, steps: Long) {
  def perStep: Double = cycles.toDouble / steps
}

/** What iBench printed (`tests/sealed/ibench.c`).
  *
  * @param profile what was run on what
  * @param lines   in the order in which they were printed
  */
case class IBenchRun(profile: String, lines: Seq[IBenchLine]) {
  private def of(what: String): Seq[IBenchLine] = lines.filter(_.what == what)
  def fetches: Seq[IBenchLine] = of("ibench")
  def loads: Seq[IBenchLine] = of("loads")
  def tasks: Seq[IBenchLine] = of("tasks")

  /** The same turns with footprints that stay in the cache. */
  def busy: Seq[IBenchLine] = of("busy")

  /** Cycles of a branch whose line is never in the cache. */
  def miss: Double = of("cold").head.perStep

  /** Cycles that it takes beyond one in the smallest footprint, which stays in the cache. */
  def fetchLatency: Double = miss - fetches.head.perStep
  def loadLatency: Double = loads.last.perStep - loads.head.perStep
}

/** Reads a run from the console log of one profile. */
object IBenchRun {
  private val line = raw"(ibench|cold|loads|tasks|busy) (\d+) (\d+) (\d+) (\d+)".r

  def read(folder: Path, profile: String): IBenchRun = {
    val lines = Files.readText(folder.resolve(profile).resolve("uart.log"), "console of iBench").linesIterator.collect {
      case line(what, kib, tasks, cycles, steps) =>
        IBenchLine(what, kib.toInt, tasks.toInt, cycles.toLong, steps.toLong)
    }.toSeq
    val run = IBenchRun(profile, lines)
    UserError.unless(
      run.fetches.size > 1 && run.loads.size > 1 && run.tasks.nonEmpty && run.busy.size == run.tasks.size && run.of(
        "cold"
      ).nonEmpty
    )(
      s"iBench did not run to its end as $profile: see its console in $folder"
    )
    run
  }
}
