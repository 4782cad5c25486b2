package hauberk.tilelink.steering

import chisel3._
import freechips.rocketchip.diplomacy.RefusedDesign
import hauberk.memory.counter.{CompilerCounters, CounterHint}
import hauberk.soc.{KnownConfigs, RocketSystem}
import hauberk.tilelink.common.VerilatedTest
import org.chipsalliance.diplomacy.lazymodule._
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** One decoded instruction a cycle, each compared with what it should be. */
class DecodeCheck(cases: Seq[(BigInt, BigInt, Int, BigInt, Int)]) extends MultiIOModule {
  val select = IO(Input(UInt(8.W)))
  val finished = IO(Output(Bool()))
  private val number = RegInit(0.U(16.W))
  private def column(of: ((BigInt, BigInt, Int, BigInt, Int)) => BigInt, width: Int) =
    VecInit(cases.map(of(_).U(width.W)))(number)
  private val hint = SteeringInstruction.decode(column(_._1, 32), column(_._2, 64))
  private val kind = column(_._3, 2)
  finished := number === cases.size.U
  when(!finished) {
    number := number + 1.U
    assert(hint.kind === kind, "kind of instruction %d", number)
    when(kind =/= CounterHint.none.U) { assert(hint.id === column(_._5, 7), "id of instruction %d", number) }
    when(kind === CounterHint.load.U || kind === CounterHint.store.U) {
      assert(hint.address === column(_._4, 64), "address of instruction %d", number)
    }
  }
}

/** The instructions that steer counters, and the SoCs that have them. */
class SteeringSpec extends AnyFunSuite with VerilatedTest {
  private val word = BigInt(1) << 64

  test("instructions mean what the compiler makes them for") {
    // Of hauberk-steer
    val known = Seq[(BigInt, BigInt, Int, BigInt, Int)](
      (BigInt("8004a00b", 16), 0x1000, CounterHint.store, 0x1000, 0),
      (BigInt("0805200b", 16), 0x1000, CounterHint.load, 0x1000, 8),
      (BigInt("80f62f0b", 16), 0x1000, CounterHint.store, 0xff8, 0),
      (BigInt("8001250b", 16), 0x1000, CounterHint.store, 0x1028, 0),
      (0x0b, 0, CounterHint.next, 0, 0),
      (0x70000b, 0, CounterHint.next, 0, 7),
      (BigInt("0200000b", 16), 0, CounterHint.none, 0, 0),
      (0x100b, 0, CounterHint.none, 0, 0),
      (0x8b, 0, CounterHint.none, 0, 0),
      (0x800b, 0, CounterHint.none, 0, 0),
      (0x700b, 0, CounterHint.none, 0, 0)
    )
    val random = new Random(3)
    val made = Seq.fill(200) {
      val store = random.nextBoolean()
      val id = random.nextInt(128)
      val offset = 4 * (random.nextInt(512) - 256)
      val base = BigInt(64, random)
      val bits = SteeringInstruction.hint(store, id, random.nextInt(32), offset)
      (bits, base, if (store) CounterHint.store else CounterHint.load, (base + offset + word) % word, id)
    } ++ (0 until 16).map(n => (SteeringInstruction.next(n), BigInt(0), CounterHint.next, BigInt(0), n))
    verilate("steering-decode")(new DecodeCheck(known ++ made)).run(limit = 1000)
    for (offset <- Seq(2, 1024, -1028))
      intercept[IllegalArgumentException](SteeringInstruction.hint(false, 0, 0, offset))
  }

  private def system(name: String): RocketSystem = {
    val lazySystem = LazyModule(new RocketSystem()(KnownConfigs.find(name).right.get))
    lazySystem
  }
  private def protection(name: String) = system(name).protector.get.banks.head.protection

  test("blocks are words without a data cache, and lines with one") {
    for (
      (name, bytes) <- Seq(
        "EmbeddedSteeredRocketConfig" -> 8,
        "WithDataCacheKib-2_EmbeddedSteeredRocketConfig" -> 16,
        "WithDataCacheKib-32_EmbeddedMediumSteeredRocketConfig" -> 32,
        "EmbeddedGlobalRocketConfig" -> 8
      )
    ) {
      val p = protection(name)
      assert(p.bank.blockBytes == bytes, name)
      assert(p.takesHints == name.contains("Steered"), name)
    }
  }

  test("a data cache has a hint for each line, and pads are made ahead only without one") {
    def counters(name: String) = protection(name).params.counters.asInstanceOf[CompilerCounters]
    assert(counters("EmbeddedSteeredRocketConfig").ahead)
    val cached = counters("WithDataCacheKib-4_EmbeddedSteeredRocketConfig")
    assert(!cached.ahead && cached.storeHints == 256)
    assert(cached.lastPairs == 0 && counters("WithLastPairs-64_EmbeddedGlobalRocketConfig").lastPairs == 64)
  }

  test("what cannot be is refused") {
    def refusal(name: String) = RefusedDesign.why {
      val refused = system(name)
      refused.dts
      refused.protector.foreach(_.banks)
    }
    for (
      name <- Seq(
        "WithCounterSteering_EmbeddedRocketConfig",
        "WithCounterSteering_EmbeddedGlobalRocketConfig",
        "WithCounterSteering_AegisOtpRocketConfig"
      )
    ) assert(refusal(name).contains("takes no hints"), name)
    assert(refusal("WithDataCacheKib-3_EmbeddedRocketConfig").contains("data cache of 3 KiB"))
    assert(refusal("WithLastPairs-64_AegisOtpRocketConfig").contains("leave WithLastPairs out"))
    assert(refusal("WithLastPairs-12_EmbeddedSteeredRocketConfig").contains("12 last pairs"))
    for (
      (registers, ids, why) <-
        Seq((3, 128, "3 counter registers"), (8, 129, "129 counter ids"), (8, 4, "4 counter ids"))
    )
      assert(KnownConfigs.misnamed(s"WithCompilerCounters-$registers-$ids").exists(_.contains(why)), why)
  }
}
