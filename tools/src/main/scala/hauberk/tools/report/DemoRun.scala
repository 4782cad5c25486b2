package hauberk.tools.report

import hauberk.tools._
import java.nio.file.{Files => NioFiles, Path}

/** One program on one configuration, as the demo left it in a folder: run.json, uart.log and, if it came to that, check.json.
  *
  * @param plaintextWords what the checker counted in DRAM; none if it never ran
  * @param dramCheck      the checker's verdict
  */
case class DemoRun(
    run: RunRecord,
    uart: UartLog,
    isProtected: Option[Boolean],
    plaintextWords: Option[BigInt],
    dramCheck: String
) extends ReportedRun {
  def config: String = run.config
  def program: String = run.program
  def exitCode: Int = run.exitCode
  def timing: Option[DramTiming] = Some(run.timing)
  def dram: Option[DramTraffic] = Some(run.dram)
  def lookups: Option[CounterLookups] = Some(CounterLookups(run.hits, run.misses))
  def verdict: Option[String] = Some(dramCheck)

  def problems: Seq[String] = (endProblems ++ Seq(
    if (run.bus.exists(_.alarm)) Some("raised the bus's alarm") else None,
    if (dramCheck != "pass") Some(s"has the DRAM check '$dramCheck'") else None,
    plaintextWords.filter(count => isProtected.contains(true) && count > 0).map(count =>
      s"left $count words in the clear in DRAM"
    )
  ).flatten).map(problem => s"$program on $config $problem")
}

/** Reads a run, and refuses a record of another configuration or program. */
object DemoRun {

  /** The run in `folder`/`config`/`program`; none if there is no record of one. */
  def read(folder: Path, config: String, program: String): Option[DemoRun] = {
    val here = folder.resolve(config).resolve(program)
    if (!NioFiles.exists(here.resolve("run.json"))) None
    else {
      val run = RunRecord.read(here.resolve("run.json"))
      UserError.unless(run.config == config && run.program == program)(
        s"$here holds the run of ${run.program} on ${run.config}: put each run into a folder of its own name"
      )
      val check = here.resolve("check.json")
      val checked = if (NioFiles.exists(check)) Some(JsonFile.read(check, "check record")) else None
      Some(
        DemoRun(
          run,
          UartLog.read(here.resolve("uart.log")),
          checked.map(_.flag("protected")),
          checked.map(_.number("plaintext_words_in_dram")),
          checked.fold("fail: not checked")(_.text("dram_check"))
        )
      )
    }
  }
}
