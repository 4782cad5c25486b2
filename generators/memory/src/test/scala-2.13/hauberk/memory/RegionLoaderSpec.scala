package hauberk.memory

import hauberk.memory.port.MemoryPortParams
import hauberk.memory.common.RegionParams
import hauberk.memory.region.{BankRegion, RegionLoader}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** What the loader writes, and that it says so only then. */
class RegionLoaderSpec extends AnyFunSuite with Simulation {
  private val port = MemoryPortParams(addressBits = 20, beatBytes = 8, blockBytes = 64, idBits = 4)
  private val regions = Seq(
    BankRegion(3, 17, plain = true, context = 0),
    BankRegion.none,
    BankRegion(255, 255, plain = false, context = 1)
  )

  for (count <- Seq(1, 3)) test(s"a table of $count entries is filled in as many cycles, after every reset") {
    val params = RegionParams(entries = count, contexts = 2)
    val last = regions.takeRight(count)
    simulate(new RegionLoader(params, port, last)) { dut =>
      for (_ <- 0 until 2) {
        resetDesign(dut)
        for ((region, index) <- last.zipWithIndex) {
          dut.io.done.expect(false)
          dut.io.write.valid.expect(true)
          dut.io.write.bits.index.expect(index)
          dut.io.write.bits.first.expect(region.first)
          dut.io.write.bits.last.expect(region.last)
          dut.io.write.bits.kind.plain.expect(region.plain)
          dut.io.write.bits.kind.context.expect(region.context)
          step()
        }
        for (_ <- 0 until 5) {
          dut.io.done.expect(true)
          dut.io.write.valid.expect(false)
          step()
        }
      }
    }
  }
}
