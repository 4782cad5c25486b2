package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.{Bank, KeySlot, RegionParams}
import hauberk.memory.counter.SequenceNumberCache
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Engines with a region in plaintext and a region of a second context, under random traffic: what clients read, and what memory holds. */
class RegionEngineSpec extends AnyFunSuite with Simulation {
  private val random = new Random(43)
  private def bytes(n: Int): Array[Byte] = Transfer.randomBytes(random, n).toArray
  private val keys = ProtectionKeys(bytes(16), bytes(16))
  private val second = bytes(16)
  private val regions = RegionParams(entries = 3, contexts = 2)
  private val bank = Bank(localBytes = 1 << 16)
  private val perGranule = 64
  private val blocks = 4 * perGranule
  private def isPlain(b: Int) = b / perGranule == 1
  private def dynamicKey(b: Int) = if (b / perGranule == 2) second else keys.dynamic

  private def write(
      dut: MemoryProtectionEngine,
      bench: EngineBench,
      index: Int,
      granule: Int,
      plain: Boolean,
      context: Int
  ): Unit = {
    val port = dut.io.regionWrite.get
    port.bits.index.poke(index)
    port.bits.first.poke(granule)
    port.bits.last.poke(granule)
    port.bits.kind.plain.poke(plain)
    port.bits.kind.context.poke(context)
    port.valid.poke(true)
    bench.tick()
    port.valid.poke(false)
  }

  /** Runs traffic on an engine; hands over what the blocks hold at the end, and which were written. */
  private def run(params: ProtectionParams, timing: Seq[MemoryTiming])(
      check: (EngineBench, Protection, Seq[Array[Byte]], Int => Boolean) => Unit
  ): Unit = {
    val p = Protection(params.copy(regions = regions, reads = 6, writes = 5), bank)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (timing <- timing) {
        resetDesign(dut)
        dut.io.regionWrite.get.valid.poke(false)
        val bench = new EngineBench(this, dut, timing)
        for (i <- 0 until (p.bank.localBytes / 64).toInt) random.nextBytes(bench.block(i))
        bench.quiet()
        write(dut, bench, 2, granule = 1, plain = true, context = 0)
        write(dut, bench, 0, granule = 2, plain = false, context = 1)
        for ((word, i) <- second.grouped(8).zipWithIndex) bench.writeKeyWord(KeySlot.spare, i, BigInt(1, word))
        bench.start(keys)
        // Too late: neither exposes anything, nor takes a key away
        write(dut, bench, 1, granule = 0, plain = true, context = 0)
        write(dut, bench, 0, granule = 3, plain = true, context = 0)

        val model = new ReferenceModel(p.params.mode, p.layout, 0)
        val held = (0 until blocks).map { b =>
          val plain = bytes(64)
          bench.memory.blocks(b) = if (isPlain(b)) plain.clone else model.encrypt(keys, b, 0, plain)
          plain
        }
        val written = mutable.Set.empty[Int]
        // A few blocks of every granule
        val busy =
          (0 until 4).flatMap(g => random.shuffle((0 until perGranule).toList).take(20).map(_ + g * perGranule))
        for (_ <- 0 until 6) {
          val batch = Seq.fill(120) {
            val t = Transfer.random(random, p, busy.size)
            t.copy(address = busy(t.address / 64) * 64 + t.address % 64)
          }
          for ((t, answer) <- batch.zip(bench.runAll(batch))) {
            assert(!answer.denied, t)
            val data = t.applyTo(held(t.address / 64))
            if (t.write) written += t.address / 64
            else assert(answer.data == data, t)
          }
        }
        bench.flush()
        assert(!dut.io.status.alarm.peekBoolean())
        for (b <- 0 until blocks if isPlain(b)) assert(bench.block(b).toSeq == held(b).toSeq, s"plaintext block $b")
        check(bench, p, held, written)
      }
    }
  }
  private val timings = Seq(new UnsteadyMemory(random, 50), new HastyMemory(random, 10))
  private val iterative = AesParams(architecture = AesArchitecture.Iterative)
  private def number(bench: EngineBench, p: Protection, b: Int): BigInt = {
    val stored = bench.block((p.layout.counterBase / 64).toInt + b / 16)
    val unit = (BigInt(1) << 48) | (b / 16)
    val line =
      if (stored.forall(_ == 0)) stored
      else JdkModes.decryptXts(keys.dynamic, JdkModes.tweakKey(keys.dynamic), unit, stored)
    BigInt(1, line.slice(b % 16 * 4, b % 16 * 4 + 4).reverse)
  }

  // covers: memory.regions, memory.plaintext-regions
  test("SNC with replacement: plaintext has no numbers, and each context its own key") {
    val store = SequenceNumberCache(bytes = 256, ways = 2)
    run(ProtectionParams.yangSncLru.copy(counters = store, cipher = iterative), timings) { (bench, p, held, written) =>
      for (b <- 0 until blocks) {
        val n = number(bench, p, b)
        assert((n != 0) == (written(b) && !isPlain(b)), s"block $b has number $n")
        val key = if (n == 0) keys.static else dynamicKey(b)
        if (!isPlain(b))
          assert(bench.block(b).toSeq == JdkModes.oneTimePad(key, 0, b, n, held(b)).toSeq, s"block $b, number $n")
      }
    }
  }

  test("SNC without replacement: what is direct is under the key of its context", Thorough) {
    val store = SequenceNumberCache(bytes = 64, ways = 1, replaces = false, writtenLines = 1)
    run(ProtectionParams.yangSncNoReplacement.copy(counters = store), timings) { (bench, p, held, written) =>
      var direct = Set.empty[Int]
      for (b <- 0 until blocks) {
        val bits = bench.block((p.layout.counterBase / 64).toInt + b / 512)
        if (((bits(b % 512 / 8) >> (b % 8)) & 1) == 1) {
          direct += b / perGranule
          val key = dynamicKey(b)
          assert(written(b) && !isPlain(b))
          assert(
            bench.block(b).toSeq == JdkModes.encryptXts(key, JdkModes.tweakKey(key), b, held(b)).toSeq,
            s"block $b"
          )
        }
      }
      assert(direct.size == 3)
    }
  }

  test("XTS: blocks in plaintext stand beside encrypted ones", Thorough) {
    run(ProtectionParams.xts.copy(cipher = iterative), timings) { (bench, _, held, _) =>
      for (b <- 0 until blocks if !isPlain(b)) {
        val expected = JdkModes.encryptXts(keys.static, JdkModes.tweakKey(keys.static), b, held(b))
        assert(bench.block(b).toSeq == expected.toSeq, s"block $b")
      }
    }
  }

  // covers: memory.arming
  test("an engine whose contexts do not all have a key serves nobody") {
    val p = Protection(ProtectionParams.xts.copy(cipher = iterative, regions = regions, reads = 2, writes = 1), bank)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      dut.io.regionWrite.get.valid.poke(false)
      val bench = new EngineBench(this, dut, SteadyMemory(10))
      bench.start(keys)
      assert(!dut.io.status.armed.peekBoolean())
      for ((word, i) <- second.grouped(8).zipWithIndex) bench.writeKeyWord(KeySlot.spare, i, BigInt(1, word))
      for (_ <- 0 until 100) bench.tick()
      bench.arm()
      assert(dut.io.status.armed.peekBoolean())
    }
  }
}
