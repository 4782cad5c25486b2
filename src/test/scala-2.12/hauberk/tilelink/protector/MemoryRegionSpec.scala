package hauberk.tilelink.protector

import chisel3._
import hauberk.crypto._
import hauberk.memory.layout.{BankAddresses, MetadataLayout}
import hauberk.memory.common.{MetadataCacheParams, RegionParams}
import hauberk.memory.mode.DirectCbc
import hauberk.memory.counter.Timestamps
import hauberk.memory.region.BankRegion
import hauberk.memory.ProtectionParams
import hauberk.tilelink.common.{Access, TLScript, VerilatedTest}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.flatspec.AnyFlatSpec

/** A script against a protector with regions. Of what it writes, words of one kind must reach memory as they are, and so often. */
class RegionBench(scheme: ProtectionParams, regions: Seq[MemoryRegion], script: Seq[Access], shown: Int)(implicit
    p: Parameters
) extends LazyModule {
  private val memory =
    LazyModule(new ProtectedMemory(scheme, RegionBench.banks, around = false, RegionBench.bytes, regions))
  private val client = LazyModule(new TLScript(script))
  memory.serve(client)

  lazy val module = new Impl
  class Impl extends LazyModuleImp(this) {
    val select = IO(Input(UInt(8.W)))
    val finished = IO(Output(Bool()))
    client.module.select := 0.U // the only one
    finished := client.module.finished
    // A dynamic key for all, and one for each engine's second context
    private val words = 2 + 2 * RegionBench.banks
    assert(!memory.module.armed || memory.module.entropyWords === words.U, "armed without every key, or with more")
    assert(!finished || memory.module.armed, "not armed at the end")
    assert(!finished || memory.module.shown === shown.U, "words in plaintext are not in memory as they are")
  }
}

object RegionBench {
  val banks = 2
  val bytes = BigInt(0x8000)

  /** One granule of each bank in plaintext, the next of the second context, the rest, with the metadata, neither. */
  val plain: MemoryRegion = MemoryRegion.plaintext(Bench.base + 0x2000, 0x2000)
  val second: MemoryRegion = MemoryRegion.ofContext(Bench.base + 0x4000, 0x2000)
}

class MemoryRegionSpec extends AnyFlatSpec with VerilatedTest {
  implicit private val p: Parameters = Parameters.empty
  import RegionBench.{plain, second}

  private val iterative = AesParams(architecture = AesArchitecture.Iterative)
  private val smallest =
    ProtectionParams(
      counters = Timestamps(cache = MetadataCacheParams(2, 1, 1)),
      cipher = iterative,
      reads = 1,
      writes = 1
    )

  "a protector with regions" should "write plaintext inside one alone, and be armed when every context has its key" in {
    // Every access is of a partial block, so that reads show that blocks around the words are merged rightly, too
    def roundTrips(region: MemoryRegion, data: BigInt) =
      Seq(region.base, region.base + 0x48, region.end - 8).flatMap(address =>
        Seq(Access.write(address, data), Access.read(address, data))
      )
    val first = MemoryRegion(Bench.base, 0x2000, plain = false, context = 0)
    val Seq(unwrap, makeKey, awaitReady) = Bench.loadKeys.drop(3)
    // The static key first, so that nothing but a key that is made here can keep the protector from being armed
    val keys = Bench.loadKeys.take(3) ++ Seq(unwrap, Bench.awaitStatus(0x2), makeKey) ++
      Seq.fill(8)(Bench.command(2)) :+ awaitReady
    val script = keys ++ Bench.arm ++ roundTrips(first, ProtectedMemory.secret) ++
      roundTrips(plain, ProtectedMemory.open) ++ roundTrips(second, ProtectedMemory.secret)
    val simulator = verilate("regions") {
      val bench = LazyModule(new RegionBench(smallest, Seq(plain, second), script, shown = 3))
      bench.module
    }
    Seq(1, 2, 3).foreach(seed => simulator.run(limit = 100000, seed = seed))
  }

  it should "be memory under random traffic" in {
    val params = smallest.copy(mode = DirectCbc(), reads = 3, writes = 2)
    val simulator = verilate("regions-fuzz") {
      val bench = LazyModule(new FuzzBench(
        params,
        RegionBench.banks,
        around = false,
        operations = 2000,
        RegionBench.bytes,
        Seq(second, plain)
      ))
      bench.module
    }
    simulator.run(limit = 4000000)
  }

  private val base = BigInt(0x80000000L)
  private def divided(banks: Int, bit: Int): Seq[BankAddresses] =
    (0 until banks).map(bank =>
      BankAddresses(base, (1 << 20) / banks, if (banks == 1) Nil else Seq(bit), bank << bit)
    )
  private def in(region: MemoryRegion, banks: Int, bit: Int = 6) = divided(banks, bit).map { bank =>
    region.in(bank, MetadataLayout(bank.localBytes, 64, counterBytes = 4), granuleBytes = 4096)
  }

  "a region" should "be granules of every bank" in {
    val region = MemoryRegion.plaintext(base + 0x4000, 0x6000)
    assert(in(region, 1) == Seq(BankRegion(4, 9, plain = true, 0)))
    assert(in(region, 2) == Seq.fill(2)(BankRegion(2, 4, plain = true, 0)))
    assert(in(MemoryRegion.ofContext(base, 0x4000), 2) == Seq.fill(2)(BankRegion(0, 1, plain = false, 1)))
    // Banks that take turns in pages: one has all of the region
    assert(in(MemoryRegion.plaintext(base + 0x3000, 0x1000), 2, bit = 12) ==
      Seq(BankRegion.none, BankRegion(1, 1, plain = true, 0)))
  }

  it should "be refused with one sentence where it cannot be" in {
    def refused(part: String)(make: => Any): Unit = {
      val message = intercept[IllegalArgumentException](make).getMessage
      assert(message.contains(part), message)
    }
    refused("covers nothing")(MemoryRegion.plaintext(base, 0))
    val outside = "is not in protected memory, whose data are at 0x80000000 to 0x800effff: move it there"
    for (
      (at, bytes) <- Seq((base - 0x1000, 0x2000), (base + (1 << 20), 0x1000), (base + 0xf0000, 0x1000), (base, 1 << 24))
    ) refused(outside)(in(MemoryRegion.plaintext(at, bytes), 1))
    refused(f"the region 0x80000800 to 0x800017ff splits a granule")(in(
      MemoryRegion.plaintext(base + 0x800, 0x1000),
      1
    ))
    refused("multiples of 4096 bytes from 0x80000000")(in(MemoryRegion.plaintext(base, 0x1040), 1))
    refused("multiples of 8192 bytes from 0x80000000")(in(MemoryRegion.ofContext(base + 0x1000, 0x2000), 2))
    refused("the regions 0x80000000 to 0x80001fff and 0x80001000 to 0x80001fff overlap")(
      MemoryProtectorParams(regions =
        Seq(MemoryRegion.plaintext(base, 0x2000), MemoryRegion.ofContext(base + 0x1000, 0x1000))
      )
    )
  }

  "a protector's scheme" should "have a table that its regions fill, and be refused otherwise" in {
    def scheme(params: ProtectionParams, regions: MemoryRegion*) =
      MemoryProtectorParams(params, regions = regions).scheme
    def refused(part: String)(make: => Any): Unit =
      assert(intercept[IllegalArgumentException](make).getMessage.contains(part))
    val otp = ProtectionParams.aegisOtp
    assert(scheme(otp) eq otp)
    assert(scheme(otp, plain).regions == RegionParams(entries = 1, contexts = 1))
    assert(scheme(otp, plain, second).regions == RegionParams(entries = 2, contexts = 2))
    val wide = otp.copy(regions = RegionParams(granuleBytes = 8192))
    assert(scheme(wide, second).regions == RegionParams(entries = 1, contexts = 2, granuleBytes = 8192))
    refused("would stay empty")(scheme(otp.copy(regions = RegionParams(entries = 2)), plain))
    refused("under the static key")(scheme(ProtectionParams.xts, second))
    refused("would not cover regions")(scheme(ProtectionParams.bonsaiTree, plain))
    refused("65 entries")(scheme(otp, (0 until 65).map(i => MemoryRegion.plaintext(base + i * 4096, 4096)): _*))
  }
}
