package hauberk.tools.firesim

import hauberk.tools.report.{DemoText, MarkdownTable}
import java.util.Locale

/** Results of FireSim for people to read. */
class FireSimText(results: FireSimResults) {
  private val demo = new DemoText(
    results.demo,
    "Traffic in blocks of 64 bytes: under Linux from before a program to behind it, with the operating system's, " +
      "otherwise from reset on."
  )

  /** What protection costs, program by program. */
  def overheads: String = demo.overheads

  /** The whole report, in Markdown. */
  def report: String = Seq(
    demo.report.stripLineEnd,
    "## Every node",
    "Over its whole run: target cycles, and what the models of its DRAM took.",
    nodes,
    "## Counters",
    "What protector and bus counted: during the programs of a node under Linux, by their registers, and during its " +
      "whole run, by AutoCounter's last sample.",
    counters
  ).mkString("", "\n\n", "\n")

  private def nodes: String = MarkdownTable(
    Seq("job", "hardware", "cycles", "reads", "writes"),
    results.jobs.map { job =>
      def total(counter: String) = {
        val found = job.memory.flatMap(_.counts.get(counter))
        if (found.isEmpty) None else Some(found.sum)
      }
      Seq(job.name, job.hardware.name) ++
        Seq(job.end.map(_.cycles), total("totalReads"), total("totalWrites")).map(_.fold("?")(count))
    }
  )

  private def counters: String = MarkdownTable(
    Seq("counter", "programs", "whole run"),
    for {
      job <- results.jobs
      // Without an operating system the counts of a program are AutoCounter's
      programs = if (job.isBareMetal) Counters.none else Counters.sum(job.runs.map(_.counters))
      name <- (programs.values.keySet ++ job.autoCounters.values.keySet).toSeq.sorted if !Counters.isAlarm(name)
    } yield Seq(s"${job.name} on ${job.hardware.name}: $name") ++ Seq(
      programs,
      job.autoCounters
    ).map(_.values.get(name).fold("?")(count))
  )

  private def count(value: BigInt): String = "%,d".formatLocal(Locale.ROOT, value)
}
