package hauberk.memory

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The counter store of split counters under a counter tree, alone, with memory and traffic of every kind. */
class SplitCountersSpec extends AnyFunSuite with Simulation {
  import SplitCountersSpec._

  /** Random traffic on some pages, where a few blocks are written again and again, so that pages turn. */
  private def traffic(bench: SplitCounterBench, random: Random, pages: Seq[Int], count: Int): Unit = {
    val blocks = bench.p.layout.dataBlocks.toInt
    val hot = Seq.fill(3)(pages(random.nextInt(pages.size)) * 64 + random.nextInt(64)).filter(_ < blocks)
    for (_ <- 0 until count) {
      val block = if (random.nextInt(3) != 0) hot(random.nextInt(hot.size))
      else pages(random.nextInt(pages.size)) * 64 + random.nextInt(64)
      if (block < blocks) bench.ask(block, random.nextInt(4) != 0)
    }
  }

  for ((name, p) <- points) {
    test(s"$name: random look-ups, evictions, flushes and pages that turn") {
      simulate(new SplitCounterHarness(p)) { dut =>
        for ((kind, timing) <- timings) {
          resetDesign(dut)
          val random = new Random(seed)
          val bench = new SplitCounterBench(this, dut, timing(random), random)
          bench.fillWithNoise()
          bench.start()
          val pages = p.layout.counterLines.toInt
          traffic(bench, random, Seq.fill(5)(random.nextInt(pages)) :+ (pages - 1), 500)
          for (_ <- 0 until 300) bench.tick()
          bench.flush() // in the midst of it
          bench.drain()
          traffic(bench, random, 0 until pages, 300)
          traffic(bench, random, Seq(0, pages - 1), 500)
          bench.drain()
          bench.flush()
          bench.verifyMemory()
          assert(bench.alarms.isEmpty)
          assert(bench.refreshes >= 64, s"$kind: only ${bench.refreshes} blocks were re-encrypted")
          assert(bench.hits > 100 && bench.misses > 100 && bench.nodeHits > 50 && bench.nodeMisses > 50, kind)
          info(
            s"$kind: ${bench.cycle} cycles, ${bench.memory.reads} reads, ${bench.memory.writes} writes, " +
              s"${bench.refreshes} blocks re-encrypted"
          )
        }
      }
    }
  }
}

object SplitCountersSpec {
  val seed = 4

  /** Two levels of nodes over 100 lines and more, and caches that hold next to nothing. */
  def small(verification: Verification, beatBytes: Int = 8, misses: Int = 2): Protection = Protection(
    ProtectionParams(
      counters = SplitCounters(MetadataCacheParams(lines = 4, ways = 2, misses = misses)),
      integrity = BonsaiTree(nodes = MetadataCacheParams(lines = 2, ways = 2, misses = misses), rootEntries = 2),
      verification = verification,
      reads = 6,
      writes = 6
    ),
    Stripe(localBytes = 1 << 19, beatBytes = beatBytes, engine = 3)
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
