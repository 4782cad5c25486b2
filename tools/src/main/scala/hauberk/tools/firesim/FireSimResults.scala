package hauberk.tools.firesim

import hauberk.tools.{Folders, UserError}
import hauberk.tools.report.Demo
import java.nio.file.{Files => NioFiles, Path}

/** What FireSim left of one workload or several, as one comparison.
  *
  * @param demo the programs on the configurations, the first of which is what the others are measured against
  */
case class FireSimResults(jobs: Seq[FireSimJob], demo: Demo) {

  /** Everything that is not as it should be, a phrase each. */
  def problems: Seq[String] = demo.problems ++ differences ++ jobs.filter(_.end.isEmpty).map(job =>
    s"the simulation of ${job.name} did not end"
  )

  /** Protection must not change what a program computes. */
  private def differences: Seq[String] = for {
    program <- demo.programs
    reference <- demo.runs.get((demo.configs.head, program)).toSeq
    config <- demo.configs.tail
    run <- demo.runs.get((config, program))
    if run.uart.checksum != reference.uart.checksum
  } yield s"$program has another checksum on $config than on ${demo.configs.head}"
}

/** Collects jobs from folders of results. */
object FireSimResults {

  /** Reads all jobs of the folders `deploy/results-workload/DATE-WORKLOAD`.
    *
    * @param baseline the configuration that the others are measured against; none for the one that is not Hauberk's
    */
  def read(folders: Seq[Path], baseline: Option[String]): FireSimResults = {
    val jobs = folders.flatMap(jobsOf)
    val found = for {
      job <- jobs
      run <- job.runs
    } yield (run.config, run.program) -> (job -> run)
    val keys = found.map(_._1)
    keys.diff(keys.distinct).headOption.foreach { case key @ (config, program) =>
      val twins = found.collect { case (`key`, (job, _)) => job.folder }
      throw new UserError(
        s"$program ran on $config more than once, in ${twins.mkString(" and ")}: collect them separately"
      )
    }
    val configs = jobs.map(_.hardware.config).distinct
    val reference = baseline.getOrElse(theOther(configs))
    UserError.unless(configs.contains(reference) && configs.size > 1)(
      s"there are runs of ${configs.mkString(", ")}: name results of $reference and of another configuration"
    )
    val programs = keys.map(_._2).distinct
    val runs = found.map { case (key, (_, run)) => key -> run }.toMap
    FireSimResults(jobs, Demo(reference +: configs.filter(_ != reference), programs, runs))
  }

  private def theOther(configs: Seq[String]): String = configs.filterNot(_.startsWith("Hauberk")) match {
    case Seq(one) => one
    case several => throw new UserError(
        s"${several.size} of the configurations ${configs.mkString(", ")} are without Hauberk: name the one to measure " +
          "against with --baseline"
      )
  }

  private def jobsOf(folder: Path): Seq[FireSimJob] = {
    val found = Folders.folders(folder).filter(job => NioFiles.exists(job.resolve(FireSimJob.summaryFile)))
    UserError.unless(found.nonEmpty)(
      s"$folder holds no job with a ${FireSimJob.summaryFile}: name a folder of FireSim's deploy/results-workload"
    )
    found.map(FireSimJob.read)
  }
}
