package hauberk.tilelink

import hauberk.bus._
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.Outcome
import org.scalatest.funsuite.FixtureAnyFunSuite

/** Four caches that fight for four lines on the fastest medium, their memory encrypted by them with counters coherent by write-update:
  * whatever one reads is what was last written, and all is authenticated. How often each acquires a line is `-Doperations=N` behind `--`;
  * `make stress` makes it millions.
  */
class CoherenceStressSpec extends FixtureAnyFunSuite with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  type FixtureParam = Int
  private val short = 3000

  override def withFixture(test: OneArgTest): Outcome =
    withFixture(test.toNoArgTest(test.configMap.getWithDefault("operations", short.toString).toInt))

  test("four caches, a secure bus, and memory that the tiles encrypt") { operations =>
    val params = SecureBusParams(
      MediumParams.fastest,
      Some(BusSecurityParams(masks = 16, interval = 100, aesLatency = 16)),
      Some(TilePadParams(PadCoherence.WriteUpdate, aesLatency = 16))
    )
    val simulator = verilate("stress") {
      val bench = LazyModule(new SecureBusBench(params, operations, sharers = 4))
      bench.module
    }
    simulator.run(limit = 2000L * operations)
  }
}
