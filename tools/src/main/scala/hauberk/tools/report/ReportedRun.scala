package hauberk.tools.report

import hauberk.tools.{DramTiming, DramTraffic, UartLog}

/** Look-ups of counters in the counter cache. */
case class CounterLookups(hits: BigInt, misses: BigInt)

/** A program on a configuration, as a report shows it; what nobody recorded is none. */
trait ReportedRun {
  def config: String
  def program: String
  def exitCode: Int
  def uart: UartLog
  def timing: Option[DramTiming]
  def dram: Option[DramTraffic]
  def lookups: Option[CounterLookups]
  def isProtected: Option[Boolean]

  /** Words of image and results that stand in DRAM in the clear. */
  def plaintextWords: Option[BigInt]

  /** The DRAM checker's. */
  def verdict: Option[String]

  /** What went wrong, a phrase each. */
  def problems: Seq[String]

  /** What went wrong at the end, without the program's name. */
  protected def endProblems: Seq[String] = Seq(
    if (exitCode != 0) Some(s"ended with exit code $exitCode") else None,
    if (exitCode == 0 && (uart.cycles.isEmpty || uart.instret.isEmpty)) Some("printed no cycles or no instret")
    else None
  ).flatten
}
