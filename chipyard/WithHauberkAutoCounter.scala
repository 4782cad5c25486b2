package chipyard

import chisel3.UInt
import hauberk.tilelink.common.StatisticsObserverKey
import org.chipsalliance.cde.config.Config
import scala.util.Try

/** Makes every statistic of the memory protector and the secure bus an AutoCounter event, for FireSim's `autocounter` with `WithAutoCounter`
  * in its platform configuration. A statistic counts since reset, so that the value in the file is the count.
  */
class WithHauberkAutoCounter extends Config((_, _, _) => { case StatisticsObserverKey => AutoCounterEvents.add _ })

/** FireSim's target utilities are found when the SoC is elaborated and not when this is compiled, because Chipyard has them with Chisel 6 only. */
private object AutoCounterEvents {
  private lazy val perfCounter = Try(Class.forName("midas.targetutils.PerfCounter$")).getOrElse(
    throw new IllegalArgumentException(
      "WithHauberkAutoCounter needs FireSim's target utilities, which Chipyard has with Chisel 6 only: leave it out, or USE_CHISEL7"
    )
  )
  private lazy val identity = perfCounter.getMethod("identity", classOf[UInt], classOf[String], classOf[String])

  def add(name: String, value: UInt): Unit =
    identity.invoke(perfCounter.getField("MODULE$").get(null), value, s"hauberk_$name", s"Hauberk: $name, since reset")
}
