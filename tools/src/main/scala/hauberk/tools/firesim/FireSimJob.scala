package hauberk.tools.firesim

import hauberk.tools.{Folders, UserError}
import java.nio.file.Path

/** What FireSim copied back of a job, a folder of `results-workload/DATE-WORKLOAD`.
  *
  * @param runs         the programs that it ran
  * @param end          how its simulation ended, if it did
  * @param memory       what the models of its memory channels counted
  * @param autoCounters what protector and bus had counted when FireSim last looked
  */
case class FireSimJob(
    folder: Path,
    hardware: HardwareSummary,
    runs: Seq[FireSimRun],
    end: Option[SimulationEnd],
    memory: Seq[MemoryStatistics],
    autoCounters: Counters
) {
  def name: String = folder.getFileName.toString

  /** Whether it ran one program without an operating system. */
  def isBareMetal: Boolean = FireSimJob.bareMetal(folder).isDefined
}

/** Reads a job from its folder of results. */
object FireSimJob {

  /** Every job's folder has it. */
  val summaryFile = "HW_CFG_SUMMARY"

  // What FireMarshal makes of workloads/hauberk-single.yaml and hauberk-multicore.yaml
  private val BareMetal = "hauberk-(?:single|multicore)-(.+)".r

  private def bareMetal(folder: Path): Option[String] =
    Some(folder.getFileName.toString).collect { case BareMetal(program) => program }

  def read(folder: Path): FireSimJob = {
    val hardware = HardwareSummary.read(folder.resolve(summaryFile))
    val log = new ConsoleLog(folder.resolve("uartlog"))
    // One for each clock of the target
    val autoCounters =
      Counters(Folders.files(folder, "AUTOCOUNTERFILE[0-9]*\\.csv").flatMap(AutoCounterFile.read(_).values).toMap)
    val runs = bareMetal(folder) match {
      case Some(program) =>
        val (code, uart) = log.bareMetal
        Seq(FireSimRun(hardware.config, program, code, uart, autoCounters))
      case None =>
        log.sections.map(run => FireSimRun(hardware.config, run.program, run.exitCode, run.uart, run.counters))
    }
    UserError.unless(runs.nonEmpty)(s"${folder.resolve("uartlog")} has the section of no program")
    val memory = Folders.files(folder, "memory_stats[0-9]*\\.csv").map(MemoryStatistics.read)
    FireSimJob(folder, hardware, runs, log.end, memory, autoCounters)
  }
}
