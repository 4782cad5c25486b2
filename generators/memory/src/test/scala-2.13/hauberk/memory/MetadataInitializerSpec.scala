package hauberk.memory

import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.counter.{SequenceNumberCache, Timestamps}
import hauberk.memory.engine.CounterGroups
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Counter lines are zeroed once, before their first use, in whole groups, whatever memory held at reset and however it answers. */
// covers: memory.first-touch
class MetadataInitializerSpec extends AnyFunSuite with Simulation {
  private val blockBytes = 32
  private def timestamps(bits: Int) =
    ProtectionParams(counters = Timestamps(bits, MetadataCacheParams(4, 2, 2)), reads = 2, writes = 2)
  private def bank(units: Int) =
    Bank(localBytes = BigInt(units) * 64 * blockBytes, beatBytes = 16, blockBytes = blockBytes)
  private val numbers = SequenceNumberCache(bytes = 64, ways = 2, replaces = false, mshrs = 2, writtenLines = 2)

  /** Groups of one line and of more, a last group that is short, a last word of bits that is short, and a single group. */
  private val points = Seq(
    ("groups of one line", timestamps(32), bank(4), 1, 28),
    ("groups of four lines, the last of which is short", timestamps(64), bank(243), 4, 775),
    (
      "a single group",
      ProtectionParams.yangSncNoReplacement.copy(counters = numbers, reads = 2, writes = 2),
      bank(2),
      1,
      1
    )
  )

  /** Takes requests while it is open. */
  private class GatedMemory extends MemoryTiming {
    var open = true
    def delay(write: Boolean): Int = 2
    val inOrder = true
    def requestReady: Boolean = open
    val clientReady = true
  }

  test("groups: at most 1024, of as few lines as this allows") {
    def shape(lines: Int) = (CounterGroups(lines).count, 1 << CounterGroups(lines).offsetBits)
    assert(shape(1) == ((1, 1)))
    assert(shape(1024) == ((1024, 1)))
    assert(shape(1025) == ((513, 2)))
    assert(shape(2048) == ((1024, 2)))
    assert(shape(14564) == ((911, 16)))
  }

  for ((name, params, bank, perGroup, groups) <- points) test(s"$name") {
    val p = Protection(params, bank)
    val random = new Random(43)
    def timings = Seq(SteadyMemory(20), new UnsteadyMemory(random, 40), new HastyMemory(random, 20))
    simulate(new InitializerHarness(p)) { dut =>
      // Each begins with a reset: the bits of the one before must not be there any more
      def scenario(what: String, timings: Seq[MemoryTiming])(body: InitializerBench => Unit): Unit =
        for (timing <- timings) withClue(s"$what, $timing: ") {
          resetDesign(dut)
          body(new InitializerBench(this, dut, timing, random))
        }
      scenario("geometry", timings.take(1)) { bench =>
        assert(bench.perGroup == perGroup)
        assert(perGroup == 1 || bench.lines % perGroup != 0, "the last group is whole")
        assert(bench.groups.count == groups)
      }

      scenario("first accesses of all groups", timings) { bench =>
        val all = random.shuffle((0 until bench.groups.count).toVector)
        // Some groups have one first access, of either kind; others two at once
        for (some <- all.take(400).grouped(5)) {
          val firsts = some.flatMap(group => random.shuffle(bench.linesOf(group).toVector).take(1 + random.nextInt(2)))
          bench.access(firsts.map(line => (line, random.nextBoolean())))
          bench.access(firsts.map(line => (line, random.nextBoolean())))
          if (random.nextInt(10) == 0) bench.flush()
        }
        bench.flush()
        bench.checkAll()
      }

      scenario("a flush, and accesses during it", timings) { bench =>
        bench.pulseFlush()
        val checks = for {
          line <- random.shuffle((0 until bench.lines).toVector).take(60)
          _ = for (_ <- 0 until random.nextInt(200)) bench.tick()
        } yield bench.ask(line, random.nextBoolean())
        bench.tickUntil(
          bench.client.idle && !dut.io.flushing.peekBoolean(),
          5000 + bench.lines * 500,
          "a flush or an access does not end"
        )
        checks.foreach(_())
        for (_ <- 0 until 50) bench.tick() // a last beat that is still held
        bench.checkAll()
        val written = bench.memory.written.size
        bench.flush()
        assert(bench.memory.written.size == written, "a second flush zeroes again")
        bench.checkAll()
      }

      if (groups < 100) {
        val gated = new GatedMemory
        scenario("a flush ends in spite of requests that never pause", Seq(gated)) { bench =>
          val line = bench.lines - 1
          bench.access(Seq((line, true)))
          bench.pulseFlush()
          val limit = bench.client.cycle + 500 + bench.lines * 100
          while (dut.io.flushing.peekBoolean()) {
            assert(bench.client.cycle < limit, "the flush waits for the end of the stream")
            gated.open = bench.client.cycle % 8 == 0
            if (bench.client.cycle % 8 == 0) bench.ask(line, write = false)
            bench.tick()
          }
          bench.checkAll()
        }
      }

      scenario("a late acknowledgement", timings.take(2)) { bench =>
        for ((group, write) <- Seq(0 -> false, bench.groups.count - 1 -> true).take(bench.groups.count)) {
          val line = bench.linesOf(group).head
          val late = bench.blockOf(bench.linesOf(group).last)
          bench.memory.withheld = _ == late
          val reads = bench.memory.reads
          val check = bench.ask(line, write)
          bench.tickUntil(bench.memory.withholds, 500, "nothing is zeroed")
          for (_ <- 0 until 300) bench.tick()
          val zeroBeats = bench.memory.written.takeRight(bench.linesOf(group).size * p.memory.blockBeats)
          assert(zeroBeats.forall(_._2 == 0) && bench.memory.reads == reads, "the request overtook its zeros")
          assert(!bench.client.idle)
          bench.memory.withheld = _ => false
          bench.tickUntil(bench.client.idle, 500, "the request waits for ever")
          check()
        }
      }

      scenario("answers of earlier requests arrive while zeros are written", timings.take(1)) { bench =>
        if (bench.groups.count > 1) {
          bench.access(Seq((0, true)))
          val late = bench.blockOf(bench.linesOf(1).last)
          bench.memory.withheld = _ == late
          val earlier = bench.ask(0, write = false)
          val held = bench.ask(bench.linesOf(1).head, write = false)
          for (_ <- 0 until 200) bench.tick()
          earlier()
          assert(!bench.client.idle)
          bench.memory.withheld = _ => false
          bench.tickUntil(bench.client.idle, 500, "the request waits for ever")
          held()
        }
      }

      scenario("a refused zero write", timings) { bench =>
        val group = bench.groups.count - 1
        if (bench.groups.count > 1) bench.access(Seq((0, true)))
        bench.memory.refused += bench.blockOf(bench.linesOf(group).last)
        assert(!dut.io.refused.peekBoolean())
        val denied = (bench.linesOf(group).take(2) ++ (0 until math.min(1, group))).map { line =>
          bench.client.ask(Transfer(write = false, bench.blockOf(line) * blockBytes, 5))
        }
        bench.tickUntil(bench.client.idle, 2000, "a request is not answered")
        assert(denied.forall(bench.client.answers(_).denied), "an answer is not denied")
        assert(dut.io.refused.peekBoolean())
        bench.flush()
      }

      scenario("a zero write that a flush refuses", timings) { bench =>
        bench.memory.refused += bench.blockOf(bench.lines - 1)
        bench.flush()
        assert(dut.io.refused.peekBoolean())
        val ticket = bench.client.ask(Transfer(write = false, bench.blockOf(0) * blockBytes, 5))
        bench.tickUntil(bench.client.idle, 2000, "a request is not answered")
        assert(bench.client.answers(ticket).denied)
      }

      scenario("others have their turn between two zero writes", timings.take(1)) { bench =>
        if (perGroup > 1) {
          dut.io.othersServed.poke(false)
          val check = bench.ask(0, write = false)
          for (_ <- 0 until 100) bench.tick()
          assert(bench.memory.writes == 1, "zero writes do not wait for others")
          dut.io.othersServed.poke(true)
          bench.tickUntil(bench.client.idle, 500, "the request waits for ever")
          check()
        }
      }

      scenario("the bits are cleared in a word a cycle", timings.take(1)) { bench =>
        val words = (groups + 63) / 64
        val check = bench.ask(bench.lines - 1, write = false)
        bench.tickUntil(dut.io.ready.peekBoolean(), words, s"not ready after $words cycles")
        bench.tickUntil(bench.client.idle, 500, "the request waits for ever")
        check()
      }

      for (held <- 1 to math.min(2, p.memory.blockBeats)) {
        val gated = new GatedMemory
        scenario(s"a write-back is in memory before its flush ends, $held beats held", Seq(gated)) { bench =>
          bench.flush()
          dut.io.countersFlushing.poke(true)
          val check = bench.ask(0, write = true)
          val beats = p.memory.blockBeats
          val before = bench.memory.written.size
          for (_ <- held to beats) bench.tick()
          gated.open = false
          bench.tick()
          assert(bench.memory.written.size - before == beats - held, "other beats are held")
          dut.io.countersFlushing.poke(false)
          for (_ <- 0 until 10) bench.tick()
          assert(dut.io.flushing.peekBoolean(), "the flush ended before the last beat left")
          gated.open = true
          bench.tickUntil(!dut.io.flushing.peekBoolean(), 10, "the flush does not end")
          assert(bench.memory.written.size - before == beats, "a beat is still held")
          bench.tickUntil(bench.client.idle, 50, "the request waits for ever")
          check()
        }
      }
    }
  }
}
