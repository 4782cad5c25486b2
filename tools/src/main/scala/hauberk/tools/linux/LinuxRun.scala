package hauberk.tools.linux

import hauberk.memory.engine.EngineStatistics
import hauberk.tools.{JsonFile, RunRecord, UserError}
import java.nio.file.{Files => NioFiles, Path}

/** Linux from boot to power-off on one configuration.
  *
  * @param cycles    from reset on, in all
  * @param wallSeconds what the simulator took by the clock on the wall; `kiloHertz` is cycles by its CPU time
  * @param securedBus whether the shared bus between the tiles and memory is secured; none if there is no such bus
  * @param protector the protector's own counters, summed over its engines, by their names in the run record
  * @param check     what the checker said of the DRAM; none if it was not checked
  */
case class LinuxRun(
    run: RunRecord,
    cores: Int,
    cycles: BigInt,
    wallSeconds: Double,
    kiloHertz: Double,
    securedBus: Option[Boolean],
    protector: Seq[(String, BigInt)],
    console: LinuxConsole,
    check: Option[LinuxCheck]
) {
  def config: String = run.config

  /** The fragments of its configuration's name. */
  def fragments: Set[String] = config.split("_").init.toSet

  /** Nothing protects its memory or its bus. */
  def isBaseline: Boolean = check.exists(!_.isProtected) && !securedBus.contains(true)

  def hitRate: Option[Double] = {
    val lookups = run.hits + run.misses
    if (lookups == 0) None else Some(run.hits.toDouble / lookups.toDouble)
  }

  /** Everything that is not as it should be, a phrase each. */
  def problems: Seq[String] = {
    val ends = Seq(
      if (run.exitCode == 0) None else Some(s"ended with exit code ${run.exitCode}"),
      if (console.booted.isEmpty) Some("never came to init") else None,
      if (console.booted.nonEmpty && console.done.isEmpty) Some("did not come to the end of its programs") else None,
      if (check.isEmpty) Some("has a DRAM that was not checked") else None
    ).flatten
    val programs =
      console.programs.filter(_.exitCode != 0).map(program =>
        s"ran ${program.name}, which ended with ${program.exitCode}"
      )
    (ends ++ programs ++ check.toSeq.flatMap(_.problems)).map(problem => s"$config $problem")
  }
}

/** The checker's verdict on all of DRAM.
  *
  * @param pagesUsed      pages that are not zero
  * @param plaintextPages those of them that show plaintext
  */
case class LinuxCheck(isProtected: Boolean, verdict: String, pagesUsed: BigInt, plaintextPages: BigInt) {
  def problems: Seq[String] = Seq(
    if (verdict == "pass") None else Some(s"has the DRAM check '$verdict'"),
    if (isProtected && plaintextPages > 0) Some(s"left $plaintextPages pages in DRAM that show plaintext") else None,
    // Else the check would not see plaintext where there is some
    if (!isProtected && plaintextPages == 0) Some("left no plaintext, though nothing encrypts it") else None
  ).flatten
}

/** Reads a run from its folder. */
object LinuxRun {

  /** Keys of a run record's object `protector`, but for the alarm. */
  private[linux] val counters: Seq[String] =
    EngineStatistics.counters.flatMap(_.record).collect { case ("protector", key) => key }

  /** The run in `folder`/`config`; none if there is no record of one. */
  def read(folder: Path, config: String): Option[LinuxRun] = {
    val here = folder.resolve(config)
    if (!NioFiles.exists(here.resolve("run.json"))) None
    else {
      val json = JsonFile.read(here.resolve("run.json"), "run record")
      val run = RunRecord.read(here.resolve("run.json"))
      UserError.unless(run.config == config)(
        s"$here holds a run on ${run.config}: put each run into a folder of its configuration's name"
      )
      Some(
        LinuxRun(
          run,
          json.children("cores").size,
          json.number("cycles"),
          json.fraction("wall_seconds"),
          json.fraction("kHz_cpu"),
          if (json.has("bus")) Some(json.child("bus").flag("secured")) else None,
          counters.map(name => name -> json.child("protector").number(name)),
          LinuxConsole.read(here.resolve("uart.log")),
          check(here.resolve("check.json"))
        )
      )
    }
  }

  private def check(path: Path): Option[LinuxCheck] =
    if (!NioFiles.exists(path)) None
    else {
      val json = JsonFile.read(path, "check record")
      Some(LinuxCheck(
        json.flag("protected"),
        json.text("dram_check"),
        json.number("pages_used"),
        json.number("plaintext_pages_in_dram")
      ))
    }
}
