package hauberk.tilelink.protector

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import hauberk.tilelink.common.VerilatedTest
import org.scalatest.flatspec.AnyFlatSpec

/** Looks at one address after another, as hardware and without.
  *
  * @param regions the banks of each, and as many addresses of each
  */
class BankMapBench(regions: Seq[(Seq[BankMap], Seq[BigInt])]) extends MultiIOModule {
  val select = IO(Input(UInt(8.W)))
  val finished = IO(Output(Bool()))
  private val cycle = RegInit(0.U(16.W))
  cycle := cycle + 1.U
  finished := cycle === (regions.head._2.size - 1).U
  for ((maps, addresses) <- regions) {
    def now(of: BigInt => BigInt): UInt = VecInit(addresses.map(of(_).U(40.W)))(cycle)
    val address = now(identity)
    for (map <- maps) {
      val holds = now(address => if (map.contains(address)) 1 else 0) === 1.U
      assert(map.holds(address) === holds, "an address of another bank, or of none")
      when(holds) {
        val local = now(address => if (map.contains(address)) map.toLocal(address) else 0)
        assert(map.toLocal(address) === local, "another address in the bank")
        assert(map.toGlobal(local) === address, "another address on the bus")
      }
    }
  }
}

class BankMapSpec extends AnyFlatSpec with VerilatedTest {

  /** The addresses of each bank of a region, as a bank binder divides them: by blocks of 64 bytes. */
  private def banks(base: BigInt, bytes: BigInt, count: Int): Seq[BankMap] =
    (0 until count).map { bank =>
      val select = AddressSet(64 * bank, ~BigInt(64 * (count - 1)))
      BankMap(AddressSet.misaligned(base, bytes).flatMap(_.intersect(select)))
    }

  private val regions = Seq(
    ("16 MiB", BigInt(0x80000000L), BigInt(1) << 24),
    ("40 KiB", BigInt(0x80000000L), BigInt(40 << 10)),
    ("24 KiB not aligned to its size", BigInt(0x80002000L), BigInt(24 << 10))
  )
  private val counts = Seq(1, 2, 4)
  for {
    (text, base, bytes) <- regions
    count <- counts
  } {
    val maps = banks(base, bytes, count)
    val sample = (0 until 3000).map(i => base + (BigInt(i) * 7919 * 8) % bytes) :+ (base + bytes - 1)

    s"the $count banks of $text" should "divide the region evenly" in {
      assert(maps.forall(_.localBytes == bytes / count))
      assert(sample.forall(address => maps.count(_.contains(address)) == 1))
      assert(!maps.exists(map => map.contains(base - 1) || map.contains(base + bytes)))
    }

    it should "number the blocks of each bank in turn" in {
      sample.foreach { address =>
        val block = (address - base) / 64
        val map = maps((block % count).toInt)
        assert(map.toLocal(address) == block / count * 64 + address % 64)
        assert(map.toGlobal(map.toLocal(address)) == address)
      }
    }

    it should "name every part of a bank by address sets" in {
      maps.foreach { map =>
        val from = map.localBytes / 8 * 5
        val sets = map.addressSets(from, map.localBytes)
        assert(sets.map(_.mask.bitCount).map(BigInt(1) << _).sum == map.localBytes - from)
        assert(sets.forall(set => Seq(set.base, set.max).forall(map.contains)))
        assert(sets.map(set => map.toLocal(set.base)).min == from)
      }
    }
  }

  "The hardware of a bank" should "say the same of every address, at both ends, too" in {
    val all = for {
      (_, base, bytes) <- regions
      count <- counts
    } yield {
      val nearEnds = (-64 until 64 * 8 by 8).flatMap(i => Seq(base + i, base + bytes - 8 - i))
      (banks(base, bytes, count), nearEnds)
    }
    verilate("bank-map")(new BankMapBench(all)).run(limit = 1000)
  }

  private def refusal(sets: AddressSet*): String = intercept[IllegalArgumentException](BankMap(sets)).getMessage

  "BankMap" should "refuse addresses that do not make one bank" in {
    assert(refusal().contains("without addresses"))
    assert(refusal(AddressSet(0, 0xfff), AddressSet(0x6000, 0xfff)).contains("not contiguous"))
    assert(refusal(AddressSet(0, 0xfbf), AddressSet(0x2000, 0xf7f)).contains("more than one way"))
    assert(refusal(AddressSet(0, 0xfbf), AddressSet(0x1040, 0xfbf)).contains("more than one bank"))
  }

  it should "refuse addresses outside the bank" in {
    val map = banks(0x1000, 0x1000, 2).head
    intercept[IllegalArgumentException](map.toLocal(BigInt(0x1040)))
    intercept[IllegalArgumentException](map.toGlobal(BigInt(0x800)))
  }
}
