package hauberk.memory

import hauberk.memory.port.MemoryPortParams
import hauberk.memory.common.{Bank, RegionParams}
import hauberk.memory.mode.OneTimePad
import hauberk.memory.counter.{NoCounters, SequenceNumberCache, Timestamps}
import hauberk.memory.integrity.{BlockMac, BonsaiTree}
import hauberk.memory.region.{BankRegion, RegionLoader}
import hauberk.testing.Elaborate
import org.scalatest.funsuite.AnyFunSuite

/** Engines with sequence number caches, and with XTS, elaborate on every Chisel, and compositions that cannot be are refused in words. */
class YangElaborateSpec extends AnyFunSuite {
  private val bank = Bank(localBytes = 1 << 16)
  private val wide = bank.copy(beatBytes = 16, blockBytes = 128, engine = 255)
  private val lru = ProtectionParams.yangSncLru
  private val fixed = ProtectionParams.yangSncNoReplacement
  private val points = Seq(
    "XTS, 128-byte blocks" -> Protection(ProtectionParams.xts, wide),
    "SNC of one line" -> Protection(
      lru.copy(counters = SequenceNumberCache(bytes = 64, ways = 1, mshrs = 1), reads = 1, writes = 1),
      bank
    ),
    "SNC, fully associative, 128-byte blocks" ->
      Protection(lru.copy(counters = SequenceNumberCache.fullyAssociative(1024, blockBytes = 128)), wide),
    "SNC without replacement, 3 ways, 128-byte blocks" -> Protection(
      fixed.copy(counters = SequenceNumberCache(bytes = 3 * 1024, ways = 3, replaces = false)),
      wide
    ),
    "SNC without replacement, of one line" -> Protection(
      fixed.copy(
        counters = SequenceNumberCache(bytes = 64, ways = 1, replaces = false, mshrs = 1, writtenLines = 1),
        reads = 1,
        writes = 1
      ),
      bank
    )
  )
  for ((name, p) <- points) test(s"elaborates: $name") {
    assert(Elaborate(new MemoryProtectionEngine(p)).contains("module MemoryProtectionEngine"))
  }

  private def refused(word: String)(make: => Any): Unit = {
    val error = intercept[IllegalArgumentException](make)
    assert(error.getMessage.contains(word), error.getMessage)
  }
  test("compositions that cannot be are refused with the reason") {
    val none = SequenceNumberCache(replaces = false)
    refused("needs a fresh counter for every write, and a sequence number cache without")(fixed.copy(mode = OneTimePad))
    refused("needs a fresh counter for every write, and a sequence number cache without")(
      ProtectionParams.xom.copy(counters = none)
    )
    refused("needs a fresh counter for every write, and no counters gives none")(lru.copy(counters = NoCounters))
    refused("gives no block a counter of its own")(fixed.copy(integrity = BlockMac()))
    refused("gives no block a counter of its own")(ProtectionParams.xts.copy(integrity = BlockMac()))
    refused("would not cover regions")(
      ProtectionParams.aegisOtp.copy(integrity = BlockMac(), regions = RegionParams(entries = 1))
    )
    refused("re-encrypts memory under one key")(
      ProtectionParams.aegisOtp.copy(
        counters = Timestamps(reserve = Some(1000)),
        regions = RegionParams(entries = 1, contexts = 2)
      )
    )
    refused("fills its lines")(lru.copy(integrity = BonsaiTree()))
  }
  test("impossible caches are refused with the value that is wrong") {
    refused("numberBits is 33")(SequenceNumberCache(numberBits = 33))
    refused("0 ways")(SequenceNumberCache(ways = 0))
    refused("65536 bytes in 48 ways")(SequenceNumberCache(ways = 48).sets(64))
  }

  test("a region loader elaborates, and is refused what its table cannot hold") {
    val port = MemoryPortParams(addressBits = 16, beatBytes = 8, blockBytes = 64, idBits = 4)
    def loader(params: RegionParams, regions: BankRegion*) = Elaborate(new RegionLoader(params, port, regions))
    val two = RegionParams(entries = 2, contexts = 2)
    val region = BankRegion(0, 15, plain = false, context = 1)
    assert(loader(two, region, BankRegion.none).contains("module RegionLoader"))
    refused("1 regions are not what a table of 2")(loader(two, region))
    refused("0 regions")(loader(RegionParams()))
    refused("granules 1 to 16 are beyond the bank, which has 16")(loader(two, region, BankRegion(1, 16, true, 0)))
    refused("of context 1, and there are 1")(loader(two.copy(contexts = 1), BankRegion.none, region))
  }
}
