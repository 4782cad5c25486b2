package hauberk.memory

import hauberk.memory.port.MemoryPortParams
import hauberk.memory.common.RegionParams
import hauberk.memory.region.RegionTable
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Every look-up of a region table against a list of regions. */
// covers: memory.regions
class RegionTableSpec extends AnyFunSuite with Simulation {
  private val port = MemoryPortParams(addressBits = 20, beatBytes = 8, blockBytes = 64, idBits = 4)
  private val granules = 1 << (20 - 12)
  private case class Region(first: Int, last: Int, plain: Boolean, context: Int)

  private class Bench(dut: RegionTable, random: Random) {
    val regions: Array[Option[Region]] = Array.fill(dut.params.entries)(None)
    dut.io.write.valid.poke(false)

    def write(index: Int, r: Region): Unit = {
      dut.io.write.bits.index.poke(index)
      dut.io.write.bits.first.poke(r.first)
      dut.io.write.bits.last.poke(r.last)
      dut.io.write.bits.kind.plain.poke(r.plain)
      dut.io.write.bits.kind.context.poke(r.context)
      dut.io.write.valid.poke(true)
      step()
      dut.io.write.valid.poke(false)
    }
    def check(granule: Int): Unit = for (lookup <- dut.io.lookup) {
      lookup.block.poke(granule * 64 + random.nextInt(64))
      val expected = regions.flatten.find(r => granule >= r.first && granule <= r.last)
      lookup.kind.plain.expect(expected.exists(_.plain))
      lookup.kind.context.expect(expected.map(_.context).getOrElse(0))
    }
    def checkAll(): Unit = (0 until granules).foreach(check)
  }

  test("blocks are of the first region they lie in, and of none otherwise") {
    simulate(new RegionTable(RegionParams(entries = 5, contexts = 2), port, lookups = 2)) { dut =>
      val random = new Random(1)
      val bench = new Bench(dut, random)
      bench.checkAll()
      for (_ <- 0 until 12) {
        val index = random.nextInt(5)
        val first = random.nextInt(granules)
        val last =
          if (random.nextInt(6) == 0) first - random.nextInt(first + 1) else first + random.nextInt(granules - first)
        val region = Region(first, last, random.nextBoolean(), random.nextInt(2))
        bench.write(index, region)
        bench.regions(index) = Some(region)
        bench.checkAll()
      }
    }
  }

  test("what does not exist is not written") {
    simulate(new RegionTable(RegionParams(entries = 5, contexts = 1), port, lookups = 1)) { dut =>
      val bench = new Bench(dut, new Random(2))
      val all = Region(0, granules - 1, plain = true, context = 0)
      bench.write(5, all)
      bench.write(7, all)
      bench.write(1, all.copy(context = 1))
      bench.checkAll()
      bench.write(4, all.copy(first = 7))
      bench.regions(4) = Some(all.copy(first = 7))
      bench.checkAll()
    }
  }

  test("a table of no entries knows no regions") {
    simulate(new RegionTable(RegionParams(), port, lookups = 1)) { dut =>
      val bench = new Bench(dut, new Random(3))
      bench.write(0, Region(0, granules - 1, plain = true, context = 0))
      bench.checkAll()
    }
  }

  test("impossible tables are refused with the value that is wrong") {
    def refused(word: String)(make: => Any): Unit = {
      val error = intercept[IllegalArgumentException](make)
      assert(error.getMessage.contains(word), error.getMessage)
    }
    refused("65 entries")(RegionParams(entries = 65))
    refused("3 contexts in 5")(RegionParams(entries = 5, contexts = 3))
    refused("2 contexts in 0")(RegionParams(contexts = 2))
    refused("granuleBytes is 3000")(RegionParams(granuleBytes = 3000))
  }
}
