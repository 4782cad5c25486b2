package hauberk.tilelink.bus

import hauberk.bus._
import hauberk.tilelink.common.VerilatedTest
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Four caches that fight for four lines on the fastest shared bus, their memory encrypted by them with counters coherent by write-update:
  * whatever one reads is what was last written, and all is authenticated. The first argument is how often each acquires a line; the test of
  * [[TLSecureBusSpec]] does the same with fewer caches for a moment.
  */
object CoherenceStress extends VerilatedTest {
  implicit private val p: Parameters = Parameters.empty

  def main(arguments: Array[String]): Unit = {
    val operations = arguments.head.toInt
    val params = SecureBusParams(
      SharedBusParams.fastest,
      Some(BusSecurityParams(masks = 16, interval = 100, aesLatency = 16)),
      Some(TilePadParams(PadCoherence.WriteUpdate, aesLatency = 16))
    )
    val simulator = verilate("stress") {
      val bench = LazyModule(new SecureBusBench(params, operations, sharers = 4))
      bench.module
    }
    println(s"four caches acquire $operations lines each")
    simulator.run(limit = 2000L * operations)
    println("every line was what was last written to it")
  }
}
