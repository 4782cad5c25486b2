package hauberk.tilelink.common

import chisel3._
import org.chipsalliance.cde.config.{Field, Parameters}

/** A further use of statistics beside their registers, such as making them FireSim's AutoCounter events; nothing by default. Called for
  * each statistic in the module that has it, with its name and its value, a count since reset of at most 64 bits.
  */
case object StatisticsObserverKey extends Field[(String, UInt) => Unit]((_, _) => ())

/** Passes each statistic to the observer that the configuration names. */
private[tilelink] object StatisticsObserver {

  /** Shows every statistic of a bundle, by the name PREFIX_FIELD. */
  def show(prefix: String, statistics: Bundle)(implicit p: Parameters): Unit =
    for ((name, value: UInt) <- statistics.elements.toSeq.sortBy(_._1))
      p(StatisticsObserverKey)(s"${prefix}_$name", value)
}
