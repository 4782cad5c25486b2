package hauberk.tools.linux

import hauberk.tools.UserError
import java.nio.file.Path

/** Linux on several configurations, each measured against the same SoC without protection.
  *
  * @param configs what was to run
  */
case class LinuxResults(configs: Seq[String], runs: Seq[LinuxRun]) {

  /** The unprotected run with as many cores and with a shared bus if this run has one; of several, the one with most of this run's fragments, and
    * none with others.
    */
  def baseline(run: LinuxRun): Option[LinuxRun] = runs
    .filter(other =>
      other.isBaseline && other.cores == run.cores && other.securedBus.isDefined == run.securedBus.isDefined &&
        other.fragments.subsetOf(run.fragments)
    )
    .sortBy(-_.fragments.size)
    .headOption
    .filter(_ => !run.isBaseline)

  /** The names of all programs, in their order. */
  val programs: Seq[String] = runs.flatMap(_.console.programs.map(_.name)).distinct

  /** What is measured of a run: boot, each program's own cycles, and all of it. */
  val measures: Seq[String] = "boot" +: programs :+ "boot to power-off"

  def cycles(run: LinuxRun, measure: String): Option[BigInt] =
    if (measure == measures.head) run.console.booted
    else if (measure == measures.last) Some(run.cycles)
    else run.console.programs.find(_.name == measure).flatMap(_.uart.cycles)

  /** Cycles added, as a fraction of the baseline's; none of a baseline. */
  def overhead(run: LinuxRun, measure: String): Option[Double] = for {
    other <- baseline(run)
    mine <- cycles(run, measure)
    its <- cycles(other, measure) if its > 0
  } yield (BigDecimal(mine) / BigDecimal(its)).toDouble - 1

  /** Everything that is not as it should be, a phrase each. */
  def problems: Seq[String] = {
    val missing = configs.filterNot(config => runs.exists(_.config == config)).map(config => s"$config did not run")
    val mixed = if (runs.map(_.run.timing).distinct.size > 1)
      Seq("the runs were made with different DRAM timings, so their cycles do not compare")
    else Nil
    val fewer = for {
      run <- runs
      program <- programs if !run.console.programs.exists(_.name == program)
    } yield s"${run.config} did not run $program"
    missing ++ mixed ++ runs.flatMap(_.problems) ++ fewer ++ differences
  }

  /** Neither protection nor the number of cores may change what a program computes. */
  private def differences: Seq[String] = for {
    program <- programs
    found = runs.flatMap(run => run.console.programs.filter(_.name == program).map(run -> _.uart.checksum))
    (run, checksum) <- found.drop(1) if checksum != found.head._2
  } yield s"$program has another checksum on ${run.config} than on ${found.head._1.config}"
}

/** Collects the runs of the named configurations from a folder. */
object LinuxResults {
  def read(folder: Path, configs: Seq[String]): LinuxResults = {
    val runs = configs.flatMap(LinuxRun.read(folder, _))
    UserError.unless(runs.nonEmpty)(
      s"there are no runs of ${configs.mkString(", ")} in $folder: run scripts/linux-report"
    )
    LinuxResults(configs, runs)
  }
}
