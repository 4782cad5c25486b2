package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.counter.SequenceNumberCache
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The sequence number cache with replacement against a list of numbers and XTS on the JDK. */
class SequenceNumberStoreSpec extends AnyFunSuite with Simulation {
  private val keys =
    ProtectionKeys(Array.tabulate(16)(i => (3 * i + 1).toByte), Array.tabulate(16)(i => (7 * i + 5).toByte))
  private val engine = 9
  private val bank = Bank(localBytes = 1 << 17, engine = engine)
  private val iterative = AesParams(architecture = AesArchitecture.Iterative)
  private def protection(store: SequenceNumberCache, cipher: AesParams = iterative) =
    Protection(ProtectionParams.aegisOtp.copy(counters = store, cipher = cipher, reads = 6, writes = 5), bank)

  /** What memory holds of a line of these numbers, by the formats of the documentation. */
  private def spilled(line: Int, numbers: Seq[BigInt]): Seq[Byte] = {
    val plain = numbers.flatMap(n => (0 until 4).map(i => (n >> (8 * i)).toByte)).toArray
    if (plain.forall(_ == 0)) plain.toSeq
    else {
      val unit = (BigInt(1) << 48) | (BigInt(engine) << 40) | line
      JdkModes.encryptXts(keys.dynamic, JdkModes.tweakKey(keys.dynamic), unit, plain).toSeq
    }
  }

  private def opened(line: Int, stored: Array[Byte]): Seq[BigInt] = {
    val unit = (BigInt(1) << 48) | (BigInt(engine) << 40) | line
    val plain = JdkModes.decryptXts(keys.dynamic, JdkModes.tweakKey(keys.dynamic), unit, stored)
    plain.grouped(4).map(b => BigInt(1, b.reverse)).toSeq
  }

  /** Every number is what the model says, and every fresh one the next of TIMER. */
  private class Model(bench: StoreBench) {
    val numbers: mutable.Map[Int, BigInt] = mutable.Map.empty.withDefaultValue(BigInt(0))
    var last: BigInt = 0
    bench.onFound = (asked, found) => {
      assert(!found.denied && !found.direct)
      if (asked.write) {
        last += 1
        numbers(asked.block) = last
      }
      assert(found.counter == numbers(asked.block), s"the number of $asked")
      assert(found.key == (if (found.counter == 0) KeySlot.static else KeySlot.dynamic))
    }
    def checkMemory(lines: Int): Unit = for (line <- 0 until lines) {
      val expected = spilled(line, (0 until 16).map(i => numbers(16 * line + i)))
      assert(bench.line(line).toSeq == expected, s"line $line in memory: ${opened(line, bench.line(line))}")
    }
  }

  private val shapes = Seq(
    "4-way" -> SequenceNumberCache(bytes = 512, ways = 4),
    "fully associative, 24-bit numbers" -> SequenceNumberCache.fullyAssociative(512).copy(numberBits = 24),
    "one line" -> SequenceNumberCache(bytes = 64, ways = 1, mshrs = 1)
  )
  for ((name, store) <- shapes) test(s"numbers come back from memory, which holds XTS of them: $name") {
    val random = new Random(name.hashCode)
    simulate(new StoreHarness(protection(store))) { dut =>
      for (timing <- Seq(new UnsteadyMemory(random, 40), new HastyMemory(random, 12))) {
        resetDesign(dut)
        val bench = new StoreBench(this, dut, timing, random)
        val model = new Model(bench)
        bench.start(keys)
        for (_ <- 0 until 3) {
          bench.runMany(250, blocks = 16 * 24, writes = 0.5)
          bench.flush()
          model.checkMemory(24)
        }
        assert(bench.memory.reads > 100 && bench.memory.writes > 50, "hardly anything was spilled")
        assert(bench.alarms.isEmpty)
      }
    }
  }

  // covers: memory.no-pad-twice
  test("no number is given twice, whatever memory gives back") {
    val p = protection(SequenceNumberCache(bytes = 128, ways = 2))
    simulate(new StoreHarness(p)) { dut =>
      val random = new Random(17)
      val bench = new StoreBench(this, dut, new UnsteadyMemory(random, 30), random)
      val handedOut = mutable.Set.empty[BigInt]
      var stale = 0
      val latest = mutable.Map.empty[Int, BigInt].withDefaultValue(BigInt(0))
      bench.onFound = (asked, found) =>
        if (asked.write) {
          assert(handedOut.add(found.counter), s"number ${found.counter} is given a second time")
          latest(asked.block) = found.counter
        } else if (found.counter != latest(asked.block)) stale += 1
      bench.start(keys)
      for (round <- 0 until 20) {
        bench.runMany(50, blocks = 16 * 8, writes = 0.6)
        bench.flush()
        val before = (0 until 8).map(bench.line)
        bench.runMany(50, blocks = 16 * 8, writes = 0.6)
        bench.flush()
        // An old line, a line of another place, zeros, noise
        val line = random.nextInt(8)
        bench.putLine(
          line,
          round % 4 match {
            case 0 => before(line)
            case 1 => before(random.nextInt(8))
            case 2 => new Array[Byte](64)
            case 3 => Transfer.randomBytes(random, 64).toArray
          }
        )
      }
      assert(handedOut.size > 300 && handedOut.max == handedOut.size)
      assert(stale > 0, "memory was never believed: nothing was tested")
    }
  }

  test(
    "lines that are only read are not spilled; memory that gives back an old line gets old numbers, until the next write"
  ) {
    simulate(new StoreHarness(protection(SequenceNumberCache(bytes = 64, ways = 1)))) { dut =>
      val bench = new StoreBench(this, dut, SteadyMemory(20), new Random(1))
      bench.start(keys)
      for (block <- Seq(0, 16, 32, 48)) assert(bench.run(block, write = false).counter == 0)
      bench.flush()
      assert(bench.memory.writes == 0)
      assert(bench.run(5, write = true).counter == 1)
      bench.flush()
      val old = bench.line(0)
      assert(bench.run(5, write = true).counter == 2)
      bench.run(16, write = false) // block 5's line is spilled
      bench.flush()
      bench.putLine(0, old)
      assert(bench.run(5, write = false).counter == 1)
      assert(bench.run(5, write = true).counter == 3)
    }
  }

  test("a hit is answered in the next cycle, a miss when its line is back and decrypted") {
    val p = protection(SequenceNumberCache(bytes = 512, ways = 4), AesParams())
    val latency = 30
    simulate(new StoreHarness(p)) { dut =>
      val bench = new StoreBench(this, dut, SteadyMemory(latency), new Random(1))
      bench.start(keys)
      bench.run(3, write = true)
      bench.flush()
      for (block <- 16 to 16 * 16 by 16) bench.run(block, write = false) // block 3's line goes
      bench.hits = 0
      bench.misses = 0
      val miss = bench.run(3, write = false)
      assert(miss.counter == 1 && bench.misses == 1 && bench.hits == 0)
      assert(miss.found - miss.asked == latency + p.memory.blockBeats - 1 + 1 + (p.aesBlocks - 1) + p.cipher.latency)
      val hit = bench.run(3, write = false)
      assert(hit.found - hit.asked == 1 && bench.misses == 1 && bench.hits == 1)
      // A line of zeros needs no cipher
      val zero = bench.run(16 * 20, write = false)
      assert(zero.counter == 0 && zero.found - zero.asked == latency + p.memory.blockBeats)
    }
  }

// covers: memory.counter-end, memory.refusals
  test(
    "an exhausted TIMER, and memory that refuses a line, deny what needs it, with an alarm, and everything after it"
  ) {
    val p = protection(SequenceNumberCache(bytes = 512, ways = 4, numberBits = 4))
    simulate(new StoreHarness(p)) { dut =>
      val bench = new StoreBench(this, dut, SteadyMemory(10), new Random(1))
      bench.start(keys)
      for (i <- 1 to 15) {
        val fresh = bench.run(7 * i, write = true)
        assert(fresh.counter == i && !fresh.denied)
      }
      assert(!bench.run(7, write = false).denied && bench.alarms.isEmpty)
      assert(bench.run(37, write = true).denied)
      assert(bench.alarms == Seq((AlarmCause.counterOverflow, BigInt(37 * 64))))
      assert(bench.run(7, write = false).denied && bench.run(9, write = true).denied)

      resetDesign(dut)
      val refusing = new StoreBench(this, dut, SteadyMemory(10), new Random(1))
      refusing.start(keys)
      assert(!refusing.run(0, write = true).denied)
      val base = (p.layout.counterBase / 64).toInt
      refusing.memory.broken += ((base + 2, 5))
      assert(refusing.run(33, write = false).denied)
      assert(refusing.alarms.map(_._1) == Seq(AlarmCause.metadataError))
      assert(refusing.run(0, write = false).denied && refusing.run(0, write = true).denied)
    }
  }
}
