package hauberk.tools.cli

import hauberk.tools.{Files, UserError}
import hauberk.tools.emu.{IBenchRun, IBenchStudy, IBenchText}
import hauberk.tools.firesim.{FireSimResults, FireSimText}
import hauberk.tools.linux.{LinuxJson, LinuxResults, LinuxText}
import hauberk.tools.report._
import hauberk.tools.steering.{SteeringReports, SteeringText}
import java.io.File
import java.nio.file.Path

/** Command line of `hauberk-report`: turns records of runs into figures, tables and plots. */
object ReportTool {

  /** The command line, with its defaults. */
  private case class Options(
      command: String = "",
      runs: File = new File("."),
      out: File = new File("."),
      configs: Seq[String] = Seq("BaselineRocketConfig", "XomRocketConfig", "AegisOtpRocketConfig"),
      programs: Seq[String] = Nil,
      plan: File = new File("."),
      studies: Seq[String] = Nil,
      results: Seq[File] = Nil,
      baseline: Option[String] = None
  )

  private val parser = new scopt.OptionParser[Options]("hauberk-report") {
    private def outFolder =
      opt[File]("out").required().valueName("FOLDER").text("where to write").action((file, o) => o.copy(out = file))

    /** @param run the folder of a run in that of all, by what it is named after */
    private def runsFolder(run: String) =
      opt[File]("runs").required().valueName("FOLDER").text(s"holds $run/{run.json,check.json,uart.log}")
        .action((file, o) => o.copy(runs = file))

    head("Turns records of runs into figures, tables and plots.")
    help("help").text("this text")

    cmd("demo").text("what protection costs: summary.json, summary.md, overhead.svg")
      .action((_, options) => options.copy(command = "demo"))
      .children(
        runsFolder("CONFIG/PROGRAM"),
        outFolder,
        opt[Seq[String]]("configs").valueName("A,B,...").action((names, o) => o.copy(configs = names))
          .validate(names =>
            if (names.distinct.size == names.size && names.size > 1) success
            else failure("name two or more configs, each once")
          )
          .text("configurations, the first being what the others are measured against (default: the single-core ones)"),
        opt[Seq[String]]("programs").valueName("A,B,...").action((names, o) => o.copy(programs = names))
          .text("programs that must have run on all of them (default: all that ran on any)")
      )
    cmd("papers").text("studies: STUDY.json, STUDY.svg and STUDY.md of each, summary.md, bounds.json")
      .action((_, options) => options.copy(command = "papers"))
      .children(
        opt[File]("plan").required().valueName("FILE").text("what the studies are: bench/papers/studies.json")
          .action((file, o) => o.copy(plan = file)),
        runsFolder("DRAM/CONFIG/PROGRAM"),
        outFolder,
        opt[Seq[String]]("studies").valueName("A,B,...").action((names, o) => o.copy(studies = names))
          .text("the studies to report (default: all of the plan)")
      )
    cmd("firesim").text("what protection costs on FireSim: summary.json, summary.md, overhead.svg")
      .action((_, options) => options.copy(command = "firesim"))
      .children(
        arg[File]("RESULTS_FOLDER...").unbounded().text("of FireSim's deploy/results-workload, one or more to compare")
          .action((file, o) => o.copy(results = o.results :+ file)),
        outFolder,
        opt[String]("baseline").valueName("CONFIG").action((name, o) => o.copy(baseline = Some(name)))
          .text("what the others are measured against (default: the configuration that is not Hauberk's)")
      )
    cmd("linux").text("Linux from boot to power-off: summary.json, summary.md, overhead.svg")
      .action((_, options) => options.copy(command = "linux"))
      .children(
        runsFolder("CONFIG"),
        outFolder,
        opt[Seq[String]]("configs").required().valueName("A,B,...").action((names, o) => o.copy(configs = names))
          .text("configurations that must have run")
      )
    cmd("emu").text("what instruction decryption adds to fetches: emu.json, emu.md, emu.svg")
      .action((_, options) => options.copy(command = "emu"))
      .children(runsFolder("PROFILE"), outFolder)
    cmd("steering").text(
      "what hints do to loads, code and counters: nagarajan-figure-9.{md,svg}, nagarajan-figure-10.{md,svg}, nagarajan-tables.md"
    )
      .action((_, options) => options.copy(command = "steering"))
      .children(
        opt[File](
          "plan"
        ).required().valueName("FILE").text("programs, series and the paper's tables: bench/papers/nagarajan.json")
          .action((file, o) => o.copy(plan = file)),
        opt[File]("runs").required().valueName("FOLDER").text("holds CONFIG/PROGRAM-SIZE.json of hauberk-steer")
          .action((file, o) => o.copy(runs = file)),
        outFolder
      )
    checkConfig(options =>
      if (options.command.isEmpty) failure("name a command: demo, papers, firesim, linux, emu or steering") else success
    )
  }

  def main(arguments: Array[String]): Unit = {
    // Without a display AWT refuses to start unless it is told that there is none.
    System.setProperty("java.awt.headless", "true")
    sys.exit(run(arguments))
  }

  /** The exit code: 0, 1 when a run was not as it should be, 2 when the input was bad. */
  def run(arguments: Seq[String]): Int = UserError.reported("hauberk-report") {
    parser.parse(arguments, Options()).fold(UserError.badInput)(options =>
      options.command match {
        case "papers" => papers(options)
        case "firesim" => firesim(options)
        case "linux" => linux(options)
        case "emu" => emu(options)
        case "steering" => steering(options)
        case _ => demo(options)
      }
    )
  }

  private def demo(options: Options): Int = {
    val demo = Demo.read(options.runs.toPath, options.configs, options.programs)
    val text = new DemoText(demo)
    write(options.out.toPath, demo, text.report)
    println(s"${text.overheads}\n\n${text.verdict}")
    verdict(demo.problems)
  }

  private def papers(options: Options): Int = {
    val plan = StudyPlan.read(options.plan.toPath, options.studies)
    val results = plan.studies.map(StudyResult.read(options.runs.toPath, _))
    val out = options.out.toPath
    results.foreach { result =>
      Files.writeText(out.resolve(result.study.name + ".json"), StudyJson(result).render(indent = 2) + "\n")
      Files.writeText(out.resolve(result.study.name + ".svg"), StudyPlot(result))
      Files.writeText(out.resolve(result.study.name + ".md"), StudyText.body(result) + "\n")
    }
    Files.writeText(out.resolve("bounds.json"), StudyJson.bounds(plan, results).render(indent = 2) + "\n")
    val bounds = if (plan.bounds.isEmpty) Nil else Seq(StudyText.bounds(plan, results))
    val parts = (s"# ${plan.title}" +: bounds) ++ results.map(StudyText(_)) :+ StudyText.startUp(results)
    Files.writeText(out.resolve("summary.md"), parts.mkString("", "\n\n", "\n"))
    println((if (bounds.nonEmpty) bounds else results.map(StudyText.points)).mkString("\n\n"))
    val missed = for {
      bound <- plan.bounds
      reached <- StudyJson.reached(bound, results)
      if reached > bound.atMost
    } yield s"${bound.figure} misses its bound"
    verdict(results.flatMap(_.problems).distinct ++ missed)
  }

  private def firesim(options: Options): Int = {
    val results = FireSimResults.read(options.results.map(_.toPath), options.baseline)
    val text = new FireSimText(results)
    write(options.out.toPath, results.demo, text.report)
    println(text.overheads)
    verdict(results.problems)
  }

  private def linux(options: Options): Int = {
    val results = LinuxResults.read(options.runs.toPath, options.configs)
    val text = new LinuxText(results)
    val out = options.out.toPath
    Files.writeText(out.resolve("summary.json"), LinuxJson(results).render(indent = 2) + "\n")
    Files.writeText(out.resolve("summary.md"), text.report)
    text.plot.foreach(Files.writeText(out.resolve("overhead.svg"), _))
    println(s"${text.overview}\n\n${text.programs}")
    verdict(results.problems)
  }

  private def emu(options: Options): Int = {
    def run(profile: String) = IBenchRun.read(options.runs.toPath, profile)
    val study = new IBenchStudy(
      run("none"),
      Seq("counter", "direct").map(mode => (mode, run(s"$mode-plain"), run(s"$mode-sealed")))
    )
    val text = new IBenchText(study)
    val out = options.out.toPath
    Files.writeText(out.resolve("emu.json"), text.json.render(indent = 2) + "\n")
    Files.writeText(out.resolve("emu.md"), text.report)
    Files.writeText(out.resolve("emu.svg"), text.plot)
    println(text.figures)
    verdict(study.problems)
  }

  private def steering(options: Options): Int = {
    val reports = SteeringReports.read(options.runs.toPath, options.plan.toPath)
    val text = new SteeringText(reports)
    val out = options.out.toPath
    for (
      (name, content) <- Seq(
        "nagarajan-figure-9.md" -> (text.loads + "\n"),
        "nagarajan-figure-9.svg" -> text.loadsPlot,
        "nagarajan-figure-10.md" -> (text.code + "\n"),
        "nagarajan-figure-10.svg" -> text.codePlot,
        "nagarajan-tables.md" -> (text.tables + "\n")
      )
    ) Files.writeText(out.resolve(name), content)
    println(text.code)
    verdict(reports.problems)
  }

  private def write(out: Path, demo: Demo, report: String): Unit = {
    Files.writeText(out.resolve("summary.json"), DemoJson(demo).render(indent = 2) + "\n")
    Files.writeText(out.resolve("summary.md"), report)
    Files.writeText(out.resolve("overhead.svg"), OverheadPlot(demo))
  }

  /** The exit code, and the problems on standard error. */
  private def verdict(problems: Seq[String]): Int = {
    if (problems.nonEmpty) Console.err.println(s"hauberk-report: ${problems.mkString("; ")}")
    if (problems.isEmpty) 0 else 1
  }
}
