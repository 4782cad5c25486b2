package hauberk.tools.report

import hauberk.tools.{DramTiming, Folders, UserError}
import java.nio.file.Path

/** All runs of a demo.
  *
  * @param configs  names of the configurations; the first is what the others are measured against
  * @param programs names of the programs
  * @param runs     by configuration and program; what is missing did not run
  */
case class Demo(configs: Seq[String], programs: Seq[String], runs: Map[(String, String), ReportedRun]) {

  /** The runs, program by program. */
  def inOrder: Seq[ReportedRun] = for {
    program <- programs
    config <- configs
    run <- runs.get((config, program))
  } yield run

  def timings: Seq[DramTiming] = inOrder.flatMap(_.timing).distinct

  /** Cycles added against the first configuration, as a fraction of its cycles; none without both. */
  def overhead(config: String, program: String): Option[Double] = for {
    reference <- cycles(configs.head, program)
    own <- cycles(config, program)
    if reference > 0
  } yield (BigDecimal(own) / BigDecimal(reference)).toDouble - 1

  /** The geometric mean over programs of cycles against the first configuration, less 1. */
  def meanOverhead(config: String): Option[Double] = {
    val ratios = programs.flatMap(overhead(config, _)).map(_ + 1)
    if (ratios.isEmpty) None else Some(math.exp(ratios.map(math.log).sum / ratios.size) - 1)
  }

  def cycles(config: String, program: String): Option[BigInt] = runs.get((config, program)).flatMap(_.uart.cycles)

  /** Everything that is not as it should be, a phrase each. */
  def problems: Seq[String] = {
    val missing = for {
      program <- programs
      config <- configs if !runs.contains((config, program))
    } yield s"$program on $config did not run"
    val mixed = if (timings.size > 1)
      Seq("the runs were made with different DRAM timings, so their cycles do not compare")
    else Nil
    missing ++ mixed ++ inOrder.flatMap(_.problems)
  }
}

/** Collects the runs of configurations and programs from a folder. */
object Demo {

  /** Reads `folder`/config/program for all configurations and programs named; without names of programs, for all there are. */
  def read(folder: Path, configs: Seq[String], programs: Seq[String]): Demo = {
    val known =
      if (programs.nonEmpty) programs
      else
        configs.flatMap(config => Folders.folders(folder.resolve(config))).map(_.getFileName.toString).distinct.sorted
    UserError.unless(known.nonEmpty)(
      s"there are no runs of ${configs.mkString(", ")} in $folder: run scripts/demo first"
    )
    val runs = for {
      config <- configs
      program <- known
      run <- DemoRun.read(folder, config, program)
    } yield (config, program) -> run
    Demo(configs, known, runs.toMap)
  }
}
