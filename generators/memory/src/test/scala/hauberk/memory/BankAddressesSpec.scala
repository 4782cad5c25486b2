package hauberk.memory

import hauberk.memory.layout.BankAddresses
import org.scalatest.funsuite.AnyFunSuite

/** The mapping between bus addresses and banks. */
class BankAddressesSpec extends AnyFunSuite {
  private val base = BigInt("80000000", 16)

  test("a single bank is the region itself") {
    val bank = BankAddresses(base, 16 << 20, Nil, 0)
    for (local <- Seq[BigInt](0, 1, 0x123456, (16 << 20) - 1)) {
      assert(bank.toGlobal(local) == base + local)
      assert(bank.toLocal(base + local) == local)
    }
    assert(!bank.contains(base - 1) && !bank.contains(base + (16 << 20)))
  }

  test("two banks take turns block by block") {
    val even = BankAddresses(base, 8 << 20, Seq(6), 0)
    val odd = BankAddresses(base, 8 << 20, Seq(6), 64)
    assert(even.toLocal(base + 0x3f) == 0x3f && even.toLocal(base + 0x80) == 0x40)
    assert(odd.toLocal(base + 0x40) == 0 && odd.toLocal(base + 0xc1) == 0x41)
    assert(even.toGlobal(0x1000) == base + 0x2000 && odd.toGlobal(0x1000) == base + 0x2040)
    assert(!even.contains(base + 0x40) && !odd.contains(base))
  }

  test("the banks of a region share it out: each address in one bank, there and back") {
    for {
      selectBits <- Seq(Seq(6, 7), Seq(6, 12), Seq(8))
      start <- Seq(base, base + 3 * 65536)
    } {
      val selects = (0 until 1 << selectBits.size).map { number =>
        selectBits.zipWithIndex.map { case (bit, i) => BigInt((number >> i) & 1) << bit }.sum
      }
      val banks = selects.map(BankAddresses(start, 65536 >> selectBits.size, selectBits, _))
      for (address <- start until start + 65536 by 37) {
        val homes = banks.filter(_.contains(address))
        assert(homes.size == 1)
        assert(homes.head.toGlobal(homes.head.toLocal(address)) == address)
      }
      for (bank <- banks)
        assert((BigInt(0) until bank.localBytes by 61).forall(l => bank.toLocal(bank.toGlobal(l)) == l))
    }
  }

  test("what lies before an address is counted in every bank") {
    for {
      selectBits <- Seq(Nil, Seq(6, 7), Seq(6, 9), Seq(11))
      number <- 0 until 1 << selectBits.size
      bytes <- Seq(8192, 3 * 4096)
    } {
      val select = selectBits.zipWithIndex.map { case (bit, i) => BigInt((number >> i) & 1) << bit }.sum
      val bank = BankAddresses(base, bytes >> selectBits.size, selectBits, select)
      val mine = (base until base + bytes).map(address => if (bank.contains(address)) 1 else 0)
      for ((count, offset) <- mine.scanLeft(0)(_ + _).zipWithIndex)
        assert(bank.localBelow(base + offset) == count, s"$bank, offset $offset")
      for (outside <- Seq(base - 1, base + bytes + 1))
        assert(intercept[IllegalArgumentException](bank.localBelow(outside)).getMessage.contains("nor its end"))
    }
  }

  test("at multiples across banks every bank has multiples of its own") {
    for (selectBits <- Seq(Nil, Seq(6), Seq(6, 7), Seq(14))) {
      val bank = BankAddresses(base, BigInt(1 << 18) >> selectBits.size, selectBits, 0)
      val unit = bank.acrossBanks(4096)
      assert((0 to 4).forall(n => bank.localBelow(base + n * unit) % 4096 == 0))
      val half = (0 to 4).map(n => bank.localBelow(base + unit / 2 + n * unit))
      assert(half.exists(_ % 4096 != 0) || selectBits.exists(_ >= 12))
    }
  }

  test("addresses of other places are refused") {
    val odd = BankAddresses(base, 4096, Seq(6), 64)
    assert(
      intercept[IllegalArgumentException](odd.toLocal(base)).getMessage.contains("0x80000000 is not in the bank")
    )
    assert(
      intercept[IllegalArgumentException](odd.toGlobal(4096)).getMessage.contains("beyond the bank of 4096 bytes")
    )
    assert(intercept[IllegalArgumentException](odd.toGlobal(-1)).getMessage.contains("beyond the bank"))
  }

  test("banks that cannot be are refused") {
    def refused(part: String)(make: => BankAddresses): Unit =
      assert(intercept[IllegalArgumentException](make).getMessage.contains(part))
    refused("0 bytes")(BankAddresses(base, 0, Nil, 0))
    refused("ascending")(BankAddresses(base, 4096, Seq(7, 6), 0))
    refused("ascending")(BankAddresses(base, 4096, Seq(6, 6), 0))
    refused("bank 128")(BankAddresses(base, 4096, Seq(6), 128))
    refused("align it")(BankAddresses(base + 64, 4096, Seq(6), 0))
  }
}
