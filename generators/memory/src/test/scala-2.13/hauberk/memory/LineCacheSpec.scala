package hauberk.memory

import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The line cache alone, against a map, with memory as hasty and as refusing as it may be. */
// covers: memory.caches
class LineCacheSpec extends AnyFunSuite with Simulation {
  private val seed = 4711
  private val p = Protection(ProtectionParams(), Bank(localBytes = 1 << 16))
  private val lineBits = 8
  private val baseBlock = (LineCacheHarness.base / 64).toInt

  /** Drives the harness, and compares every answer with a map of what each line must hold. */
  private class Bench(dut: LineCacheHarness, random: Random, timing: MemoryTiming, guarded: Boolean) {
    val memory = new PortMemory(LineCacheSpec.this, dut.io.memory, timing)
    private def stored(line: Int, word: BigInt) = if (guarded) LineCacheHarness.hasKeystream(line, word) else word
    val model: mutable.Map[Int, Array[BigInt]] = mutable.Map.empty
    def lineOf(line: Int): Array[BigInt] = model.getOrElseUpdate(
      line, {
        val words = Array.fill(8)(BigInt(64, random))
        memory.putWords(baseBlock + line, words.map(stored(line, _)).toSeq)
        words
      }
    )
    private var tag = 0
    private case class Expected(line: Int, old: BigInt, order: Int)
    private val expected = mutable.Map.empty[Int, Expected]
    private val lastDone = mutable.Map.empty[Int, Int]
    var pinned: Option[Int] = None
    var hits, starts, blocks, idleCycles = 0
    var refused = false
    def waiting: Int = expected.size

    /** One cycle with at most one look-up; true if it was accepted. `doneTag` is what was answered in it. */
    var doneTag: Option[Int] = None
    def tick(look: Option[(Int, Boolean)], flush: Boolean = false): Boolean = {
      val word = random.nextInt(8)
      val value = BigInt(64, random)
      dut.io.valid.poke(look.nonEmpty)
      for ((line, write) <- look) {
        lineOf(line)
        dut.io.line.poke(line)
        dut.io.payload.write.poke(write)
        dut.io.payload.word.poke(word)
        dut.io.payload.value.poke(value)
        dut.io.payload.tag.poke(tag)
      }
      dut.io.flush.poke(flush)
      dut.io.pinned.valid.poke(pinned.nonEmpty)
      dut.io.pinned.bits.poke(pinned.getOrElse(0))
      memory.drive()
      memory.settle()
      refused ||= dut.io.refused.peekBoolean()
      doneTag = None
      if (dut.io.done.peekBoolean()) {
        val done = dut.io.doneTag.peek().toInt
        val e = expected.remove(done)
        assert(e.nonEmpty, s"access $done was never accepted, or comes twice")
        assert(dut.io.doneLine.peek() == e.get.line)
        if (!refused) assert(dut.io.old.peek() == e.get.old, s"line ${e.get.line}")
        assert(lastDone.get(e.get.line).forall(_ < e.get.order), "answers of one line out of order")
        lastDone(e.get.line) = e.get.order
        doneTag = Some(done)
      }
      val accepted = look.nonEmpty && dut.io.answer.accepted.peekBoolean()
      val blocked = look.nonEmpty && dut.io.answer.blocked.peekBoolean()
      assert(!(accepted && blocked))
      if (look.nonEmpty) {
        val hit = dut.io.hit.peekBoolean()
        val miss = dut.io.miss.peekBoolean()
        assert(!(hit && miss) && (hit || miss) == (accepted || blocked), "counted as something else than its answer")
        if (hit) hits += 1
        if (accepted && miss) starts += 1
        if (blocked) blocks += 1
      }
      if (accepted) {
        val (line, write) = look.get
        expected(tag) = Expected(line, lineOf(line)(word), tag)
        if (write) lineOf(line)(word) = value
        tag += 1
      }
      val nextTag = if (accepted && dut.io.hit.peekBoolean()) Some(tag - 1) else None
      step()
      for (t <- nextTag) {
        dut.io.valid.poke(false)
        assert(dut.io.done.peekBoolean() && dut.io.doneTag.peek() == t, "a hit is answered in the next cycle")
      }
      accepted
    }
    def drain(limit: Int = 20000): Unit = {
      var left = limit
      while (expected.nonEmpty) {
        tick(None)
        left -= 1
        assert(left > 0, s"accesses are unanswered: $expected")
      }
    }
    def access(line: Int, write: Boolean): Unit = {
      var left = 5000
      while (!tick(Some((line, write)))) {
        left -= 1
        assert(left > 0, s"line $line is never accepted")
      }
    }
    def flush(): Unit = {
      tick(None, flush = true)
      var left = 100000
      while (dut.io.flushing.peekBoolean()) {
        tick(None)
        left -= 1
        assert(left > 0, "the flush does not end")
      }
    }
    def checkMemory(): Unit =
      for {
        (line, words) <- model
        i <- 0 until 8
      }
        assert(memory.words(baseBlock + line)(i) == stored(line, words(i)), s"word $i of line $line in memory")
  }

  private def traffic(
      dut: LineCacheHarness,
      guarded: Boolean,
      lines: Int,
      cycles: Int,
      timing: Random => MemoryTiming
  ): Unit = {
    val random = new Random(seed)
    val bench = new Bench(dut, random, timing(random), guarded)
    var wanted: Option[(Int, Boolean)] = None
    for (i <- 0 until cycles) {
      // Some runs of look-ups back to back, some pauses; a look-up may be withdrawn
      if (wanted.isEmpty || random.nextInt(10) == 0) {
        val line = if (random.nextInt(3) == 0) random.nextInt(lines) else random.nextInt(math.max(1, lines / 4))
        wanted = if ((i / 64) % 3 != 0 || random.nextInt(5) == 0) Some((line, random.nextBoolean())) else None
      }
      if (bench.tick(wanted, flush = random.nextInt(300) == 0)) wanted = None
    }
    bench.drain()
    bench.flush()
    bench.checkMemory()
    assert(bench.hits > cycles / 100 && bench.starts > 50 && bench.blocks > 50, "the traffic was too tame")
    info(s"${bench.hits} hits, ${bench.starts} fetches, ${bench.blocks} blocked, ${bench.memory.writes} lines written")
  }

  private type Point = (String, MetadataCacheParams, LineCacheHarness.Guard, Boolean, Int)
  private val points = Seq[Point](
    ("one line", MetadataCacheParams(1, 1, 1), LineCacheHarness.unguarded, false, 5),
    ("2 ways, one miss", MetadataCacheParams(4, 2, 1), LineCacheHarness.unguarded, false, 14),
    ("4 ways, blocking guard", MetadataCacheParams(16, 4, 4), LineCacheHarness.masking(false), true, 60),
    ("fully associative, speculative guard", MetadataCacheParams(8, 8, 3), LineCacheHarness.masking(true), true, 30)
  )
  for ((name, c, guard, guarded, lines) <- points) test(s"random look-ups agree with a map: $name") {
    simulate(new LineCacheHarness(p, c, lineBits, guard)) { dut =>
      traffic(dut, guarded, lines, 6000, new HastyMemory(_, 30))
      resetDesign(dut)
      traffic(dut, guarded, lines, 3000, new UnsteadyMemory(_, 60))
      resetDesign(dut)
      traffic(dut, guarded, lines, 3000, _ => SteadyMemory(4))
      for (_ <- 0 until 100) step() // a guard may have something to settle
      assert(dut.io.idle.peekBoolean() && !dut.io.unverified.peekBoolean())
    }
  }

  test("a pinned line stays, whatever comes; a line that memory refuses is reported before it is used") {
    simulate(new LineCacheHarness(p, MetadataCacheParams(4, 2, 2), lineBits, LineCacheHarness.unguarded)) { dut =>
      val bench = new Bench(dut, new Random(seed), SteadyMemory(6), guarded = false)
      bench.access(2, write = true)
      bench.drain()
      bench.pinned = Some(2)
      for (i <- 0 until 40) bench.access(2 * (i % 7), write = i % 3 == 0)
      bench.drain()
      val before = bench.memory.reads
      bench.access(2, write = false)
      bench.drain()
      assert(bench.memory.reads == before, "the pinned line was evicted")
      bench.pinned = None
      for (i <- 0 until 40) bench.access(2 * (3 + i % 7), write = false)
      bench.drain()
      val after = bench.memory.reads
      bench.access(2, write = false)
      bench.drain()
      assert(bench.memory.reads == after + 1, "a line that is no longer pinned was never evicted")
      for (beat <- 0 until 8) {
        val line = 32 + 2 * beat
        bench.lineOf(line)
        bench.refused = false
        bench.memory.broken += ((baseBlock + line, beat))
        bench.access(line, write = false)
        while (bench.waiting > 0) {
          bench.tick(None)
          assert(bench.refused || bench.doneTag.isEmpty, s"beat $beat was refused, and nobody was told")
        }
      }
    }
  }

  test("a write-back that memory refuses is reported, whether its line is evicted or flushed") {
    simulate(new LineCacheHarness(p, MetadataCacheParams(4, 2, 2), lineBits, LineCacheHarness.unguarded)) { dut =>
      for {
        flushes <- Seq(false, true)
        line <- Seq(0, 6, 255)
      } withClue(s"line $line, flushed: $flushes: ") {
        resetDesign(dut)
        val bench = new Bench(dut, new Random(seed), SteadyMemory(6), guarded = false)
        bench.access(line, write = true)
        bench.drain()
        bench.memory.refused += baseBlock + line
        assert(!bench.refused)
        if (flushes) bench.flush()
        else for (i <- 1 to 6) bench.access((line + 2 * i) % 256, write = false)
        for (_ <- 0 until 50) bench.tick(None)
        assert(bench.memory.writes == 1 && bench.refused)
      }
    }
  }

  test("a large cache answers a hit in every cycle and keeps all of its lines") {
    val c = MetadataCacheParams(1024, 4, 8)
    simulate(new LineCacheHarness(p.copy(bank = Bank(localBytes = 1 << 20)), c, 13, LineCacheHarness.unguarded)) {
      dut =>
        val bench = new Bench(dut, new Random(seed), SteadyMemory(20), guarded = false)
        for (line <- 0 until 1024) bench.access(line, write = true)
        bench.drain()
        val (hits, reads) = (bench.hits, bench.memory.reads)
        for (line <- 0 until 1024) assert(bench.tick(Some((line, line % 2 == 0))), s"a hit of line $line had to wait")
        bench.drain()
        assert(bench.hits == hits + 1024 && bench.memory.reads == reads)
        bench.flush()
        bench.checkMemory()
    }
  }
}
