package hauberk.tools.report

import java.nio.file.Path

/** One program at one point, beside the same program on the same SoC unprotected, with the same DRAM. */
case class StudyRun(own: DemoRun, reference: DemoRun) {
  def program: String = own.program
  def cycles: Option[BigInt] = own.uart.cycles
  def referenceCycles: Option[BigInt] = reference.uart.cycles

  /** Cycles added to the kernel, as a fraction of those of the reference. */
  def slowdown: Option[Double] = for {
    mine <- cycles
    others <- referenceCycles
    if others > 0
  } yield (BigDecimal(mine) / BigDecimal(others)).toDouble - 1

  /** Bus cycles used beyond those of the reference, as a fraction of them; none without a shared bus in both. */
  def busTraffic: Option[Double] = for {
    mine <- own.run.bus
    others <- reference.run.bus
    if others.used > 0
  } yield (BigDecimal(mine.used) / BigDecimal(others.used)).toDouble - 1

  def lookups: BigInt = own.run.hits + own.run.misses
  def data: BigInt = own.run.dram.dataReads + own.run.dram.dataWrites
  def metadata: BigInt = own.run.dram.metadataReads + own.run.dram.metadataWrites
}

/** What was measured at a point.
  *
  * @param runs     in the order of the study's programs
  * @param problems everything that is not as it should be, a phrase each
  */
case class PointResult(point: StudyPoint, runs: Seq[StudyRun], problems: Seq[String]) {

  /** The geometric mean over programs of cycles against the reference, less 1. */
  def mean: Option[Double] = geometricMean(runs.flatMap(_.slowdown))

  /** The same of bus cycles used. */
  def busTraffic: Option[Double] = geometricMean(runs.flatMap(_.busTraffic))

  private def geometricMean(increases: Seq[Double]): Option[Double] =
    if (increases.isEmpty) None
    else Some(math.exp(increases.map(increase => math.log(1 + increase)).sum / increases.size) - 1)

  /** The program that is slowed down most. */
  def worst: Option[StudyRun] = runs.filter(_.slowdown.isDefined).sortBy(-_.slowdown.get).headOption

  /** Cycles from reset until the metadata have their first state; the same for every program. */
  def startUp: Option[BigInt] = runs.flatMap(_.own.run.initialisationCycles).headOption

  /** Look-ups of counters that hit, of all in all runs; none if there were no look-ups. */
  def hitRate: Option[Double] = ratio(runs.map(_.own.run.hits).sum, runs.map(_.lookups).sum)

  /** Blocks of metadata for every block of data that crossed the pins of DRAM, over all runs. */
  def metadataTraffic: Option[Double] = ratio(runs.map(_.metadata).sum, runs.map(_.data).sum)

  private def ratio(part: BigInt, whole: BigInt): Option[Double] =
    if (whole == 0) None else Some((BigDecimal(part) / BigDecimal(whole)).toDouble)
}

/** A study with what was measured for it. */
case class StudyResult(study: Study, points: Seq[PointResult]) {
  def problems: Seq[String] = points.flatMap(_.problems).distinct
}

/** Collects the runs of a study from a folder. */
object StudyResult {

  /** Finds the runs of a study in `folder`/dram/config/program. */
  def read(folder: Path, study: Study): StudyResult = StudyResult(
    study,
    study.points.map { point =>
      val here = folder.resolve(point.dram)
      val found = study.programs.map { program =>
        (program, DemoRun.read(here, point.config, program), DemoRun.read(here, point.baseline, program))
      }
      val missing = found.flatMap { case (program, own, reference) =>
        Seq(point.config -> own, point.baseline -> reference).collect { case (config, None) =>
          s"$program on $config did not run with the DRAM ${point.dram}"
        }
      }
      val runs = found.collect { case (_, Some(own), Some(reference)) => StudyRun(own, reference) }
      val mixed = runs.filter(run => run.own.run.timing != run.reference.run.timing).map(run =>
        s"${run.program} on ${point.config} had another DRAM timing than on ${point.baseline}"
      )
      PointResult(point, runs, missing ++ mixed ++ runs.flatMap(run => run.own.problems ++ run.reference.problems))
    }
  )
}
