package hauberk.bus

import chisel3._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The table of pages' groups with its lookup. */
class PageTable(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val ranges = Input(Vec(p.pageRanges, new PageRange(p)))
    val address = Input(UInt(56.W))
    val group = Output(UInt(p.gidBits.W))

    /** The first entry can be one. */
    val fits = Output(Bool())
  })
  io.group := new PageGroups(io.ranges).of(io.address)
  io.fits := PageRange.fits(io.ranges.head.size, io.ranges.head.page)
}

/** The group of an address, against a search of the table in Scala. */
class PageGroupsSpec extends AnyFunSuite with Simulation {
  private case class Entry(group: Int, size: Int, first: BigInt) {
    def names(address: BigInt): Boolean =
      size > 0 && address >= (first << 12) && address < (first << 12) + (BigInt(1) << size)
  }

  // covers: bus.page-groups
  test("the first entry that names a page has it, and group 0 has all others") {
    val seed = Random.nextInt()
    val random = new Random(seed)
    simulate(new PageTable(SmallBus(2, 128, SmallBus.secure.copy(groups = 4, pageRanges = 3)))) { dut =>
      def put(number: Int, entry: Entry): Unit = {
        dut.io.ranges(number).group.poke(entry.group)
        dut.io.ranges(number).size.poke(entry.size)
        dut.io.ranges(number).page.poke(entry.first)
      }
      for (_ <- 0 until 200) withClue(s"seed $seed: ") {
        val sizes = Seq.fill(3)(if (random.nextInt(4) == 0) 0 else 12 + random.nextInt(45))
        val base = BigInt(44, random)
        // Ranges that lie in each other, or far apart
        val entries = sizes.map { size =>
          val inside = (size - 12) max 0
          val near = if (random.nextBoolean()) base else BigInt(44, random)
          Entry(random.nextInt(4), size, near >> inside << inside)
        }
        for ((entry, number) <- entries.zipWithIndex) put(number, entry)
        val ends = entries.flatMap(entry => Seq(entry.first << 12, (entry.first << 12) + (BigInt(1) << entry.size)))
        val addresses = Seq(base << 12, BigInt(56, random)) ++ ends.flatMap(end => Seq(end - 1, end))
        for (address <- addresses.filter(address => address >= 0 && address.bitLength <= 56)) {
          dut.io.address.poke(address)
          assert(dut.io.group.peek() == entries.find(_.names(address)).fold(0)(_.group), s"$address of $entries")
        }
      }
      for {
        size <- 0 until 64
        first <- BigInt(0) +: (0 until 44).map(BigInt(1) << _)
      } withClue(s"2^$size bytes from page $first: ") {
        put(0, Entry(1, size, first))
        val should = size >= 12 && size <= 56 && first % (BigInt(1) << (size - 12)) == 0
        assert(dut.io.fits.peekBoolean() == should)
      }
    }
  }
}
