package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, MetadataCacheParams}
import hauberk.memory.counter.SplitCounters
import hauberk.memory.integrity.{BonsaiTree, Verification}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The counter store of split counters under a counter tree, alone, with memory and traffic of every kind. */
class SplitCountersSpec extends AnyFunSuite with Simulation {
  import SplitCountersSpec._

  /** Random traffic on some pages, where a few blocks are written again and again, so that pages turn. */
  private def ask(bench: SplitCounterBench, random: Random, pages: Seq[Int], count: Int): Unit = {
    val blocks = bench.p.layout.dataBlocks.toInt
    val hot = Seq.fill(3)(pages(random.nextInt(pages.size)) * 64 + random.nextInt(64)).filter(_ < blocks)
    for (_ <- 0 until count) {
      val block = if (random.nextInt(3) != 0) hot(random.nextInt(hot.size))
      else pages(random.nextInt(pages.size)) * 64 + random.nextInt(64)
      if (block < blocks) bench.ask(block, random.nextInt(4) != 0)
    }
  }

  /** Cycles from a look-up to its answer, when counter and nodes are cached, and when nothing is. */
  private def answersInTime(bench: SplitCounterBench, latency: Int): Unit = {
    val p = bench.p
    bench.run(0, write = true)
    bench.flush()
    for (page <- Seq(128, 192, 130, 194)) bench.run(64 * page, write = false)
    bench.fetches.clear()
    val missing = bench.run(0, write = false)
    val taken = missing.answered - missing.accepted
    val asked = bench.fetches.map(_._1)
    assert(asked.size == 3 && asked.max - asked.min <= 2, s"the three levels are fetched in cycles $asked")
    // All lines are there at the best after the latency and their beats; then comes what cannot be done side by side: the pad of the
    // middle level, and, before a line may be used under blocking verification, that of the lowest or the hash of the topmost
    val beats = 3 * p.memory.blockBeats
    val bound = latency + beats + (if (p.params.verification.blocks) p.cipher.latency + 8 else 4)
    assert(taken <= bound && taken - latency <= 2 * latency, s"all levels missing: answered after $taken cycles")
    for (write <- Seq(false, true)) {
      val cached = bench.run(1, write)
      assert(cached.answered == cached.accepted + 2, "a cached counter is answered late")
    }
    info(s"all levels missing at a latency of $latency: answered after $taken cycles")
  }

  /** A page turns, and memory refuses to give its blocks for re-encryption. */
  private def failsClosed(bench: SplitCounterBench): Unit = {
    bench.mayDeny = true
    bench.refuseReencryption = true
    for (_ <- 0 until 64) bench.run(5, write = true)
    for (_ <- 0 until 100) bench.tick()
    assert(bench.alarms.toSet == Set((AlarmCause.metadataError, BigInt(0))))
    assert(bench.alarms.size == bench.p.reencryptions, "an alarm for each block that was under way")
    for ((block, write) <- Seq((5, false), (6, true), (1000, false))) assert(bench.run(block, write).denied, block)
    bench.flush()
  }

  /** While a page turns, three blocks of another, the last, find that it must turn too: the first of them turns it, and the third is then
    * one of those that its re-encryption waits for.
    */
  private def turnsTogether(bench: SplitCounterBench): Unit = {
    val last = bench.p.layout.dataBlocks.toInt - 1
    assert(last % 64 != 63, "the last page is whole")
    val blocks = Seq(5, last, last - 1, last - 2)
    for {
      _ <- 0 until 63
      block <- blocks
    } bench.ask(block, write = true)
    bench.drain()
    assert(bench.reencryptions == 0)
    bench.ask(5, write = true)
    while (bench.reencryptions == 0) bench.tick()
    val others = blocks.tail.map(bench.ask(_, write = true))
    while (bench.reencryptions < 32) bench.tick()
    assert(others.forall(a => a.accepted >= 0 && a.answered < 0), "a page turns beside another")
    bench.drain()
    assert(blocks.forall(bench.last(_) >> 6 == 1))
    bench.flush()
    bench.verifyMemory()
    assert(bench.alarms.isEmpty)
  }

  for ((name, p) <- points) {
    test(s"$name: figures, random look-ups, evictions, flushes, pages that turn and pages that cannot") {
      simulate(new SplitCounterHarness(p)) { dut =>
        def bench(timing: MemoryTiming, random: Random): SplitCounterBench = {
          resetDesign(dut)
          val made = new SplitCounterBench(this, dut, timing, random)
          made.fillWithNoise()
          made.start()
          made
        }
        answersInTime(bench(SteadyMemory(20), new Random(seed)), 20)
        failsClosed(bench(SteadyMemory(2), new Random(seed)))
        turnsTogether(bench(SteadyMemory(10), new Random(seed)))
        for ((kind, timing) <- timings) {
          val random = new Random(seed)
          val traffic = bench(timing(random), random)
          val pages = p.layout.counterLines.toInt
          ask(traffic, random, Seq.fill(5)(random.nextInt(pages)) :+ (pages - 1), 500)
          for (_ <- 0 until 300) traffic.tick()
          traffic.flush() // in the midst of it
          traffic.drain()
          ask(traffic, random, 0 until pages, 300)
          ask(traffic, random, Seq(0, pages - 1), 500)
          traffic.drain()
          traffic.flush()
          traffic.verifyMemory()
          assert(traffic.alarms.isEmpty)
          assert(traffic.reencryptions >= 64, s"$kind: only ${traffic.reencryptions} blocks were re-encrypted")
          assert(traffic.reencryptionsAtOnce == traffic.p.reencryptions, kind)
          assert(traffic.hits > 100 && traffic.misses > 100 && traffic.nodeHits > 50 && traffic.nodeMisses > 50, kind)
          info(
            s"$kind: ${traffic.cycle} cycles, ${traffic.memory.reads} reads, ${traffic.memory.writes} writes, " +
              s"${traffic.reencryptions} blocks re-encrypted"
          )
        }
      }
    }
  }
}

object SplitCountersSpec {
  val seed = 4

  /** Two levels of nodes over 200 lines and more, the upper of four lines, a last page that is not whole, and caches that a few look-ups
    * empty.
    */
  def small(verification: Verification, beatBytes: Int = 8, misses: Int = 2): Protection = Protection(
    ProtectionParams(
      counters = SplitCounters(MetadataCacheParams(lines = 4, ways = 2, mshrs = misses)),
      integrity = BonsaiTree(nodes = MetadataCacheParams(lines = 2, ways = 2, mshrs = misses), rootEntries = 4),
      verification = verification,
      reads = 6,
      writes = 6
    ),
    Bank(localBytes = (1 << 20) + 4096, beatBytes = beatBytes, engine = 3)
  )
  val points: Seq[(String, Protection)] = Seq(
    "blocking" -> small(Verification.Blocking),
    "speculative" -> small(Verification.Speculative, beatBytes = 16)
  )
  val timings: Seq[(String, Random => MemoryTiming)] = Seq(
    "steady memory" -> (_ => SteadyMemory(20)),
    "unsteady memory" -> (r => new UnsteadyMemory(r, 40)),
    "hasty memory" -> (r => new HastyMemory(r, 30))
  )
}
