package hauberk.tools.firesim

import hauberk.tools.{DramTiming, DramTraffic, UartLog}
import hauberk.tools.report.{CounterLookups, ReportedRun}

/** A program that a node of FireSim ran. Nobody looks into an FPGA's DRAM, so of that nothing is known. */
case class FireSimRun(config: String, program: String, exitCode: Int, uart: UartLog, counters: Counters)
    extends ReportedRun {
  def timing: Option[DramTiming] = None
  def dram: Option[DramTraffic] = counters.dram
  def lookups: Option[CounterLookups] = counters.lookups
  def isProtected: Option[Boolean] = None
  def plaintextWords: Option[BigInt] = None
  def verdict: Option[String] = None

  def problems: Seq[String] =
    (endProblems ++ counters.alarms.map(part => s"raised the alarm of the $part")).map(problem =>
      s"$program on $config $problem"
    )
}
