package hauberk.tools.report

import java.util.Locale

/** A demo for people to read.
  *
  * @param traffic which part of a run the figures of traffic are of
  */
class DemoText(demo: Demo, traffic: String = DemoText.fromReset) {
  private val reference = demo.configs.head
  private val others = demo.configs.tail

  /** What protection costs, program by program. */
  def overheads: String = {
    val header = Seq("program", s"${DemoText.shortName(reference)} cycles") ++ others.map(config =>
      s"${DemoText.shortName(config)} overhead"
    )
    val rows = demo.programs.map { program =>
      Seq(program, count(demo.cycles(reference, program))) ++ others.map(config =>
        percent(demo.overhead(config, program))
      )
    }
    val mean = Seq("geometric mean", "") ++ others.map(config => percent(demo.meanOverhead(config)))
    MarkdownTable(header, rows :+ mean)
  }

  /** What was proved of the DRAM. */
  def verdict: String = {
    val runs = demo.inOrder.filter(_.verdict.isDefined)
    val guarded = runs.filter(_.isProtected.contains(true))
    val clean = guarded.count(_.plaintextWords.contains(BigInt(0)))
    val passed = runs.count(_.verdict.contains("pass"))
    if (runs.isEmpty) "DRAM was not dumped: nothing is said of what it holds."
    else s"$passed of ${runs.size} DRAM dumps hold what the reference model expects; " +
      s"$clean of ${guarded.size} dumps of protected memory hold no word of image or results in the clear."
  }

  /** The whole report, in Markdown. */
  def report: String = {
    val dram = demo.timings.map { timing =>
      s"${timing.latency} cycles to the first beat, ${timing.cyclesPerBeat} cycles per beat, at most ${timing.outstanding} reads and " +
        s"${timing.outstanding} writes in flight" +
        (if (timing.writeQueue == 0) "" else s", ${timing.writeQueue} writes held by the controller")
    }
    Seq(
      "# What protection costs",
      "Cycles of each program's kernel, against the same SoC without protection." +
        (if (dram.isEmpty) "" else s" DRAM: ${dram.mkString("; or ")}."),
      overheads,
      verdict,
      "## Every run",
      s"$traffic `plaintext`: non-zero words of image and results that stand unencrypted at their places in DRAM at " +
        "the end.",
      details
    ).mkString("", "\n\n", "\n")
  }

  private def details: String = MarkdownTable(
    Seq(
      "program",
      "config",
      "exit code",
      "cycles",
      "instret",
      "data reads",
      "data writes",
      "metadata reads",
      "metadata writes"
    ) ++
      Seq("counter hits", "plaintext", "DRAM check"),
    demo.inOrder.map { run =>
      Seq(
        run.program,
        DemoText.shortName(run.config),
        run.exitCode.toString,
        count(run.uart.cycles),
        count(run.uart.instret)
      ) ++
        run.dram.fold(Seq.fill(4)(""))(dram =>
          Seq(dram.dataReads, dram.dataWrites, dram.metadataReads, dram.metadataWrites).map(blocks =>
            count(Some(blocks))
          )
        ) ++
        Seq(hitRate(run), count(run.plaintextWords), run.verdict.getOrElse("not made"))
    }
  )

  private def hitRate(run: ReportedRun): String =
    run.lookups.filter(found => found.hits + found.misses > 0).fold("")(found =>
      format("%.1f %%", 100 * found.hits.toDouble / (found.hits + found.misses).toDouble)
    )

  private def count(value: Option[BigInt]): String = value.fold("?")(format("%,d", _))
  private def percent(fraction: Option[Double]): String = fraction.fold("?")(value => format("%+.1f %%", 100 * value))
  private def format(pattern: String, value: Any): String = pattern.formatLocal(Locale.ROOT, value)
}

/** Short names of configurations, and the sentences of the report. */
object DemoText {

  private val fromReset =
    "Traffic in blocks of 64 bytes, from reset to exit, without the writes that initialise counters."

  /** `XomRocketConfig` is Xom to a reader; Chipyard's `RocketConfig` stays Rocket. */
  def shortName(config: String): String = {
    val name = config.stripSuffix("Config")
    if (name == "Rocket") name else name.stripSuffix("Rocket")
  }
}
