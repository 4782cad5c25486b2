package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.mode.PadOrDirect
import hauberk.memory.counter.SequenceNumberCache
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The sequence number cache without replacement against a model of which lines have found room. */
class FixedNumberStoreSpec extends AnyFunSuite with Simulation {
  private val keys = ProtectionKeys(Array.tabulate(16)(_.toByte), Array.tabulate(16)(i => (i + 100).toByte))
  private val bank = Bank(localBytes = 1 << 18)
  private def protection(store: SequenceNumberCache) = Protection(
    ProtectionParams.aegisOtp.copy(mode = PadOrDirect, counters = store, reads = 6, writes = 5),
    bank
  )

  /** Expects of every look-up, in the order in which they are accepted, what the policy says. */
  private class Model(bench: StoreBench, p: Protection, store: SequenceNumberCache) {
    private val sets = store.sets(64)
    val places: mutable.Map[Int, mutable.Set[Int]] = mutable.Map.empty // lines by set
    val numbers: mutable.Map[Int, BigInt] = mutable.Map.empty.withDefaultValue(BigInt(0))
    val direct: mutable.Set[Int] = mutable.Set.empty
    private val expected = mutable.Map.empty[Int, (BigInt, Int, Boolean)]
    var last: BigInt = 0
    val seen: mutable.Map[String, Int] = mutable.Map.empty.withDefaultValue(0)

    bench.onAccept = asked => {
      val line = asked.block / 16
      val set = places.getOrElseUpdate(line % sets, mutable.Set.empty)
      if (asked.write && set.size < store.ways) set += line
      val (kind, result) =
        if (set(line)) {
          if (asked.write) {
            last += 1
            numbers(asked.block) = last
          }
          val number = numbers(asked.block)
          ("numbered", (number, if (number == 0) KeySlot.static else KeySlot.dynamic, false))
        } else {
          if (asked.write) direct += asked.block
          if (direct(asked.block)) ("direct", (BigInt(0), KeySlot.dynamic, true))
          else ("untouched", (BigInt(0), KeySlot.static, false))
        }
      seen(kind + (if (asked.write) " write" else " read")) += 1
      expected(asked.entry) = result
    }
    bench.onFound = (asked, found) => {
      assert(!found.denied)
      assert((found.counter, found.key, found.direct) == expected(asked.entry), s"the result of $asked")
    }
    def checkMemory(): Unit = for (line <- 0 until p.layout.counterLines.toInt) {
      val bits =
        Array.tabulate(64)(i => (0 until 8).map(j => if (direct(512 * line + 8 * i + j)) 1 << j else 0).sum.toByte)
      assert(bench.line(line).toSeq == bits.toSeq, s"line $line of bits in memory")
    }
  }

  private val shapes = Seq(
    "2-way" -> SequenceNumberCache(bytes = 512, ways = 2, replaces = false, writtenLines = 2),
    "6-way" -> SequenceNumberCache(bytes = 768, ways = 6, replaces = false, writtenLines = 1),
    "fully associative, 20-bit numbers" ->
      SequenceNumberCache.fullyAssociative(512, replaces = false).copy(numberBits = 20)
  )
  for ((name, store) <- shapes) test(s"blocks have numbers while there is room, and are direct afterwards: $name") {
    val random = new Random(name.hashCode)
    val p = protection(store)
    // After a reset the numbers from before it are still in the memories, and must not show
    simulate(new StoreHarness(p)) { dut =>
      for (_ <- 0 until 2) {
        resetDesign(dut)
        val bench = new StoreBench(this, dut, new UnsteadyMemory(random, 30), random)
        val model = new Model(bench, p, store)
        bench.start(keys)
        assert(!bench.run(0, write = false).direct)
        val blocks = p.layout.dataBlocks.toInt
        for (span <- Seq(64, 256, blocks, blocks)) {
          bench.runMany(250, span, writes = 0.4)
          bench.flush()
          model.checkMemory()
        }
        assert(model.seen.size == 5 && model.seen.values.forall(_ > 5), s"not every case was met: ${model.seen}")
        assert(bench.alarms.isEmpty)
      }
    }
  }

  test(
    "results of numbers and of bits that come together are both given; memory that lies about what was written changes no number"
  ) {
    val random = new Random(3)
    val store = SequenceNumberCache(bytes = 64, ways = 1, replaces = false, writtenLines = 1)
    val p = protection(store)
    simulate(new StoreHarness(p)) { dut =>
      val bench = new StoreBench(this, dut, new HastyMemory(random, 4), random)
      val model = new Model(bench, p, store)
      bench.start(keys)
      bench.run(1, write = true)
      val blocks = p.layout.dataBlocks.toInt
      for (_ <- 0 until 3000) {
        // Half of all in the line with numbers, half in the lines of bits, whose cache holds one
        bench.tryAsk(
          if (random.nextBoolean()) random.nextInt(16) else 16 + random.nextInt(blocks - 16),
          random.nextBoolean()
        )
        bench.tick()
      }
      bench.flush()
      model.checkMemory()

      resetDesign(dut)
      val lying = new StoreBench(this, dut, SteadyMemory(10), random)
      lying.start(keys)
      assert(lying.run(2, write = true).counter == 1)
      assert(lying.run(600, write = true).direct)
      lying.flush()
      lying.run(1024, write = false) // another line of bits
      lying.putLine(1, new Array[Byte](64))
      lying.putLine(0, Array.fill(64)(-1))
      val forgotten = lying.run(600, write = false)
      assert(!forgotten.direct && forgotten.counter == 0 && forgotten.key == KeySlot.static)
      assert(lying.run(20, write = false).direct)
      val numbered = lying.run(2, write = false)
      assert(!numbered.direct && numbered.counter == 1)
      assert(lying.run(2, write = true).counter == 2)
      assert(lying.run(600, write = true).direct)
    }
  }

  test(
    "numbers, and bits whose line is cached, take a cycle; an exhausted TIMER and memory that refuses deny, with an alarm, for good"
  ) {
    val store = SequenceNumberCache(bytes = 64, ways = 1, replaces = false, numberBits = 3)
    val p = protection(store)
    simulate(new StoreHarness(p)) { dut =>
      val bench = new StoreBench(this, dut, SteadyMemory(30), new Random(1))
      bench.start(keys)
      for ((write, number) <- Seq((true, 1), (true, 2), (false, 2))) {
        val found = bench.run(2, write)
        assert(found.counter == number && found.found - found.asked == 1)
      }
      assert(bench.hits == 3 && bench.misses == 0)
      assert(bench.run(100, write = true).direct)
      val bit = bench.run(100, write = false)
      assert(bit.direct && bit.found - bit.asked == 1)
      assert(bench.hits == 3 && bench.misses == 2)

      for (i <- 3 to 7) assert(bench.run(i, write = true).counter == i)
      assert(!bench.run(101, write = true).denied && bench.alarms.isEmpty)
      assert(bench.run(9, write = true).denied)
      assert(bench.alarms == Seq((AlarmCause.counterOverflow, BigInt(9 * 64))))
      for (block <- Seq(9, 100, 3))
        assert(bench.run(block, write = false).denied && bench.run(block, write = true).denied)

      resetDesign(dut)
      val refusing = new StoreBench(this, dut, SteadyMemory(10), new Random(1))
      refusing.start(keys)
      assert(!refusing.run(0, write = true).denied)
      refusing.memory.broken += (((p.layout.counterBase / 64).toInt + 2, 1))
      assert(refusing.run(1024 + 7, write = false).denied)
      assert(refusing.alarms.map(_._1) == Seq(AlarmCause.metadataError))
      assert(refusing.run(0, write = false).denied && refusing.run(0, write = true).denied)
    }
  }
}
