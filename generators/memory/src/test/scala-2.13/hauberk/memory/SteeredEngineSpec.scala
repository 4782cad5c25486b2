package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.counter.{CompilerCounters, CounterHint}
import hauberk.memory.reference.{ProtectionKeys, ReferenceModel}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** An engine whose counters a program steers: random programs, honest and hostile, against the reference model, and a memory that lies about
  * pairs. Every pad that is used is recovered from outside, as plaintext XOR ciphertext, so that one used twice for a block shows.
  */
class SteeredEngineSpec extends AnyFunSuite with Simulation {
  private def point(bank: Bank, counters: CompilerCounters, posted: Boolean, cipher: AesParams): Protection =
    Protection(
      ProtectionParams(counters = counters, cipher = cipher, reads = 4, writes = 4, postedWrites = posted),
      bank
    )
  private val slow = AesParams(extraLatency = 3)
  private val folded = AesParams(architecture = AesArchitecture.Folded(2), extraLatency = 1)
  private val words = Bank(localBytes = 1 << 14, blockBytes = 8)
  private val points = Seq(
    "words" -> point(words, CompilerCounters(ahead = true), posted = true, slow),
    "words, one register" -> point(words, CompilerCounters(registers = 1, ids = 3, filter = 2), posted = false, folded),
    "words, the global counter alone" -> point(words, CompilerCounters(registers = 0), posted = true, slow),
    "words, last pairs" -> point(words, CompilerCounters(ahead = true, lastPairs = 16), posted = true, slow),
    "lines of 16 bytes" -> point(words.copy(blockBytes = 16), CompilerCounters(), posted = true, folded),
    "lines of 32 bytes, a bus of 8" -> point(
      Bank(localBytes = 1 << 15, beatBytes = 8, blockBytes = 32, engine = 3),
      CompilerCounters(registers = 16, storeHints = 4, updates = 1, pairFetches = 1),
      posted = false,
      slow
    ),
    "lines of 64 bytes" -> point(
      Bank(localBytes = 1 << 16),
      CompilerCounters(registers = 2, ids = 8, loadHints = 2, filter = 4),
      posted = true,
      slow
    )
  )

  private def bench(dut: MemoryProtectionEngine, random: Random, timing: MemoryTiming) =
    new SteeringBench(this, dut, random, timing)

  /** Any hint: most name what exists, near the blocks in use. */
  private def randomHint(s: SteeringBench, random: Random, blocks: Int): Unit = {
    val g = s.p.params.counters.asInstanceOf[CompilerCounters]
    random.nextInt(8) match {
      case 0 =>
        s.hint(CounterHint.next, 0, random.nextInt(if (random.nextInt(8) == 0) 128 else math.max(1, g.registers)))
      case 1 => s.hint(random.nextInt(4), random.nextInt(1 << 8), random.nextInt(128))
      case n => s.hint(n % 2, random.nextInt(blocks), random.nextInt(math.min(g.ids, 12)))
    }
  }
  private def timings(random: Random) =
    Seq(
      "steady" -> SteadyMemory(12),
      "unsteady" -> new UnsteadyMemory(random, 40),
      "hasty" -> new HastyMemory(random, 30)
    )

  /** Random transfers and hints: everything that is read, and all of memory in the end, is as the model says. */
  private def agrees(dut: MemoryProtectionEngine): Unit = {
    val p = dut.p
    for ((memory, timing) <- timings(new Random(5))) {
      resetDesign(dut)
      val random = new Random(7)
      val s = bench(dut, random, timing)
      s.start()
      val blocks = 48
      val expected = s.agree(800, blocks, limit = 400000) {
        if (random.nextInt(3) == 0) randomHint(s, random, blocks)
        if (random.nextInt(60) == 0) s.bench.pulseFlush() else s.bench.tick()
      }
      s.bench.flush()
      assert(!dut.io.status.alarm.peekBoolean())
      val pairs = (0 until blocks).map(s.pairOf)
      s.checkMemory(expected.toSeq, s"$memory memory")
      val statistics = dut.io.statistics
      assert(statistics.dataWrites.peek() == s.writes)
      if (p.takesHints) {
        info(
          s"$memory memory: ${statistics.steeredWrites.peek()} of ${s.writes} writes steered, ${statistics.rightPads.peek()} pads right, " +
            s"${statistics.wrongPads.peek()} wrong, ${statistics.ignoredHints.peek()} hints ignored"
        )
        // Random hints come long before their loads, and pads that are made ahead for them give way to others
        val ahead = p.params.counters.asInstanceOf[CompilerCounters].ahead
        assert(statistics.steeredWrites.peek() > 15 && (ahead || statistics.rightPads.peek() > 10))
        assert(pairs.exists(pair => pair != 0 && pair >> 31 == 0), "no block is under a steered pair")
      }
      assert(pairs.exists(_ >> 31 == 1), "no block is under the global counter")
    }
  }

  /** Random writes of blocks under random hints, and pairs in memory that were, may come, are none, or are noise. */
  private def holdsAgainstLies(dut: MemoryProtectionEngine): Unit = {
    val p = dut.p
    for ((memory, timing) <- timings(new Random(6))) {
      resetDesign(dut)
      val random = new Random(8)
      val s = bench(dut, random, timing)
      s.start()
      val blocks = 12
      for (_ <- 0 until 1000) {
        val block = random.nextInt(blocks)
        val data = Transfer.randomBytes(random, p.bank.blockBytes)
        s.bench.ask(if (random.nextInt(3) == 0) s.read(block) else s.write(block, data))
      }
      s.drain(limit = 400000) {
        if (random.nextInt(2) == 0) randomHint(s, random, blocks)
        // A pair that was, one that may come, none, or noise
        random.nextInt(8) match {
          case 0 => s.putPair(random.nextInt(blocks), s.pairOf(random.nextInt(blocks)))
          case 1 => s.putPair(random.nextInt(blocks), (BigInt(random.nextInt(12)) << 24) | random.nextInt(40))
          case 2 => s.putPair(random.nextInt(blocks), 0)
          case 3 => s.putPair(random.nextInt(blocks), BigInt(32, random))
          case _ =>
        }
        s.bench.tick()
      }
      assert(dut.io.statistics.steeredWrites.peek() > 50, memory)
    }
  }

  for ((name, p) <- points)
// covers: memory.steered-pads
    test(
      s"programs agree with the model, and no pad is used twice, whatever memory says of pairs: $name",
      Thorough.unless(name == "words, last pairs" || name == "lines of 32 bytes, a bus of 8"): _*
    ) {
      simulate(new MemoryProtectionEngine(p)) { dut =>
        agrees(dut)
        if (p.takesHints) holdsAgainstLies(dut)
      }
    }

  // covers: memory.counter-end
  test("a register at its end gives no more pairs, and the global counter at its end halts the engine") {
    val p = point(words, CompilerCounters(globalBits = 5, valueBits = 3), posted = false, slow)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val s = bench(dut, new Random(1), SteadyMemory(12))
      s.start()
      val pairs = (1 to 10).map { n =>
        s.give(CounterHint.store, n, 12)
        s.fill(n, n)
        s.give(CounterHint.next, 0, 4)
        s.pairOf(n)
      }
      assert(pairs.take(6) == (1 to 6).map(value => (BigInt(12) << 24) + value), "values that are left")
      assert(pairs.drop(6) == (1 to 4).map(value => (BigInt(1) << 31) + value), "the register is used up")
      for (n <- 5 to 31) {
        s.fill(n, n)
        assert(s.pairOf(n) == (BigInt(1) << 31) + n)
      }
      assert(!dut.io.status.halted.peekBoolean())
      assert(s.bench.run(Transfer(write = true, 0, 3, Seq.fill(8)(0.toByte))).denied)
      assert(dut.io.status.halted.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.counterOverflow)
    }
  }

  private val word = point(words, CompilerCounters(), posted = true, AesParams(extraLatency = 4)) // 14 cycles

  test("a right hint hides the cipher, a wrong one and none cost it once") {
    simulate(new MemoryProtectionEngine(word)) { dut =>
      val s = bench(dut, new Random(1), SteadyMemory(16))
      s.start()
      s.fill(1, 0) // initialises the pairs
      s.give(CounterHint.next, 0, 2)
      for (block <- 5 to 7) {
        s.give(CounterHint.store, block, 10)
        s.fill(block, 55)
        assert(s.pairOf(block) == (BigInt(10) << 24) + 2)
      }
      def latency(block: Int, load: Option[Int]): Int = {
        load.foreach(s.give(CounterHint.load, block, _))
        s.latency(block, 55)
      }
      val right = latency(5, Some(10))
      val wrong = latency(6, Some(2))
      val none = latency(7, None)
      info(s"right $right cycles, wrong $wrong, none $none")
      assert(right <= 16 + 3 && none >= right + 12 && wrong <= none + 2)
      val statistics = dut.io.statistics
      assert(
        statistics.rightPads.peek() == 1 && statistics.wrongPads.peek() == 2 && statistics.steeredWrites.peek() == 3
      )
    }
  }

  test("a hinted pair is used once; the next value of its register makes it new") {
    simulate(new MemoryProtectionEngine(word)) { dut =>
      val s = bench(dut, new Random(1), SteadyMemory(12))
      s.start()
      def steered(block: Int, id: Int): BigInt = {
        s.give(CounterHint.store, block, id)
        s.fill(block, block)
        s.pairOf(block)
      }
      def pair(id: Int, value: Int) = (BigInt(id) << 24) + value
      assert(steered(3, 4) == pair(4, 1))
      assert(steered(3, 4) >> 31 == 1, "the same pair again")
      assert(steered(3, 12) == pair(12, 1), "another id of the register")
      assert(steered(4, 4) == pair(4, 1) && steered(9, 4) == pair(4, 1), "ascending blocks")
      assert(steered(9, 4) >> 31 == 1 && steered(4, 4) >> 31 == 1 && steered(3, 4) >> 31 == 1)
      s.give(CounterHint.next, 0, 4)
      assert(
        steered(9, 4) == pair(4, 2) && steered(4, 4) == pair(4, 2) && steered(3, 4) == pair(4, 2),
        "descending blocks"
      )
      assert(steered(8, 4) == pair(4, 2), "one between them that the filter does not know")
      assert(steered(8, 4) >> 31 == 1)
      s.give(CounterHint.next, 0, 5)
      assert(steered(8, 4) >> 31 == 1, "another register does not make it new")
    }
  }

  test("hints of what does not exist are ignored and counted") {
    simulate(new MemoryProtectionEngine(points(1)._2)) { dut =>
      val s = bench(dut, new Random(1), SteadyMemory(12))
      s.start()
      s.give(CounterHint.next, 0, 1)
      s.give(CounterHint.next, 0, 64)
      s.give(CounterHint.store, 5, 3)
      s.give(CounterHint.load, 5, 127)
      s.give(3, 5, 0)
      assert(dut.io.statistics.ignoredHints.peek() == 5)
      s.give(CounterHint.next, 0, 0)
      s.give(CounterHint.store, 5, 2)
      s.give(CounterHint.load, 5, 0)
      assert(dut.io.statistics.ignoredHints.peek() == 5)
      s.fill(5, 1)
      assert(s.pairOf(5) == (BigInt(2) << 24) + 2)
    }
  }

  test("a refused pair halts the engine") {
    for (write <- Seq(false, true)) simulate(new MemoryProtectionEngine(word)) { dut =>
      val s = bench(dut, new Random(1), SteadyMemory(12))
      s.start()
      s.fill(5, 1)
      s.bench.memory.refused += word.layout.counterAddress(5).toInt / 8
      s.bench.run(if (write) s.write(5, Seq.fill(8)(0.toByte)) else s.read(5))
      for (_ <- 0 until 60) s.bench.tick()
      assert(dut.io.status.halted.peekBoolean())
      assert(dut.io.status.cause.peek() == AlarmCause.metadataError && dut.io.status.address.peek() == 5 * 8)
      assert(s.bench.run(Transfer(write = false, 48, 3)).denied)
    }
  }

  // covers: memory.old-pads
  test("pads made ahead do not outlive their key") {
    simulate(new MemoryProtectionEngine(word)) { dut =>
      for (delay <- 0 until 40) {
        resetDesign(dut)
        val s = bench(dut, new Random(1), SteadyMemory(16))
        s.start()
        s.give(CounterHint.next, 0, 2)
        s.give(CounterHint.store, 5, 10)
        s.fill(5, 55)
        s.give(CounterHint.load, 5, 10)
        val before = s.bench.ask(Transfer(write = false, 40, 3))
        for (_ <- 0 until delay) s.bench.tick()
        s.bench.zeroize(KeySlot.dynamic)
        for (_ <- 0 until 5) s.bench.tick()
        val other = Transfer.randomBytes(new Random(2), 16).toArray
        s.bench.loadKey(KeySlot.dynamic, other)
        s.bench.drain()
        val answer = s.bench.answers(before)
        assert(answer.denied || answer.data == Seq.fill(8)(55.toByte), s"zeroized after $delay cycles")
        s.give(CounterHint.load, 5, 10)
        val garbage = s.bench.run(Transfer(write = false, 40, 3))
        val keys = ProtectionKeys(s.keys.static, other)
        assert(
          garbage.data == s.model.decrypt(keys, 5, s.pairOf(5), s.bench.block(5)).toSeq,
          s"a pad of the old key, zeroized after $delay cycles"
        )
      }
    }
  }
}
