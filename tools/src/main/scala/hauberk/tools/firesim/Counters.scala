package hauberk.tools.firesim

import hauberk.tools.DramTraffic
import hauberk.tools.report.CounterLookups

/** What the memory protector's engines and the secure bus counted, by names such as `engine0.data_reads`; nothing where there is neither. */
case class Counters(values: Map[String, BigInt]) {

  /** What was counted since `before`, which has the same names; an alarm is no count, and stays. */
  def since(before: Counters): Counters = Counters(values.map { case (name, value) =>
    name -> (if (Counters.isAlarm(name)) value else value - before.values(name))
  })

  /** Blocks that crossed the pins of DRAM, by all engines; none without an engine. */
  def dram: Option[DramTraffic] = for {
    dataReads <- ofEngines("data_reads")
    dataWrites <- ofEngines("data_writes")
    metadataReads <- ofEngines("metadata_reads")
    metadataWrites <- ofEngines("metadata_writes")
  } yield DramTraffic(dataReads, dataWrites, metadataReads, metadataWrites)

  def lookups: Option[CounterLookups] = for {
    hits <- ofEngines("hits")
    misses <- ofEngines("misses")
  } yield CounterLookups(hits, misses)

  /** Which of protector and bus raised the alarm. */
  def alarms: Seq[String] =
    values.toSeq.collect { case (name, value) if Counters.isAlarm(name) && value != 0 => name.takeWhile(_ != '.') }

  private def ofEngines(counter: String): Option[BigInt] = {
    val found = values.collect { case (name, value) if name.matches(s"engine[0-9]+\\.$counter") => value }
    if (found.isEmpty) None else Some(found.sum)
  }
}

/** The empty set of counters, and the names of those that are alarms. */
object Counters {
  val none: Counters = Counters(Map())

  /** What several programs counted together. */
  def sum(counted: Seq[Counters]): Counters =
    Counters(counted.flatMap(_.values).groupBy(_._1).map { case (name, values) => name -> values.map(_._2).sum })

  private[firesim] def isAlarm(name: String): Boolean = name.endsWith(".alarm")
}
