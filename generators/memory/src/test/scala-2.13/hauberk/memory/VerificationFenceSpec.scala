package hauberk.memory

import hauberk.crypto.AesParams
import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.counter.{SplitCounters, Timestamps}
import hauberk.memory.engine.VerificationFence
import hauberk.memory.integrity.{BlockMac, BonsaiTree, HashTree, Verification}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite

/** A check ends under any load, and not before what was read until it was asked for is verified: the block, and all metadata that it rests on. */
// covers: memory.fence
class VerificationFenceSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 17, engine = 2)
  private val target = 5

  /** Caches so small that every other read takes the target's metadata out. */
  private val tiny = MetadataCacheParams(lines = 2, ways = 1, mshrs = 2)

  /** Hashes of lines take their time, so that blocks are verified long before the lines that they rest on. */
  private val slow = AesParams().withLatency(40)
  private val schemes = Seq(
    "block tags" -> ProtectionParams.blockMac.copy(
      counters = Timestamps(cache = tiny),
      integrity = BlockMac(tags = tiny),
      verification = Verification.Speculative
    ),
    "hash tree" -> ProtectionParams.aegisHashTree.copy(
      counters = Timestamps(cache = tiny),
      integrity = HashTree(tags = tiny, nodes = tiny, rootEntries = 4)
    ),
    "counter tree" -> ProtectionParams.bonsaiTree.copy(
      counters = SplitCounters(cache = tiny),
      integrity = BonsaiTree(tags = tiny, nodes = tiny, rootEntries = 4)
    )
  ).map { case (name, params) => name -> params.copy(reads = 6, writes = 5, cipher = slow) }

  /** Cycles after a check in which its alarm may still come: less than exports wait for. */
  private val settling = 4

  /** Gives data before metadata, so that reads wait for nothing but their counters. */
  private class FastData(p: Protection) extends SteadyMemory(20) {
    override val inOrder = false
    override def delay(write: Boolean, address: Int): Int = if (p.layout.isData(address)) 4 else 30
  }

  /** An engine whose memory has taken the first so many of these lines back to an old version.
    *
    * @param load a stream of other reads, too
    */
  private class Run(dut: MemoryProtectionEngine, stale: Int, load: Boolean = false) {
    resetDesign(dut)
    val scheme = new SchemeBench(VerificationFenceSpec.this, dut, new FastData(dut.p), seed = 4, imageBlocks = 0)
    import scheme.bench
    private val blocks = scheme.p.layout.dataBlocks.toInt
    scheme.start()
    private def write(): Unit =
      assert(!bench.run(Transfer(write = true, 64 * target, 6, Transfer.randomBytes(scheme.random, 64))).denied)
    write()
    bench.flush()
    private val old = bench.memory.contents
    write()
    bench.flush()
    private def read(block: Int) = Transfer(write = false, 64 * block, 6)
    private def other = blocks / 2 + scheme.random.nextInt(blocks / 2)
    for (_ <- 0 until 30) bench.run(read(other))
    bench.memory.restore(VerdictLines(scheme.p, target).take(stale).map(line => line -> old(line)).toMap)
    private var asked = Seq.empty[Int]
    private val begin = bench.cycle

    /** Cycles since then. */
    def time: Int = bench.cycle - begin
    def alarmed: Boolean = scheme.alarmed
    def checking: Boolean = dut.io.status.checking.peekBoolean()
    def unverified: Boolean = dut.io.status.unverified.peekBoolean()
    def tick(check: Boolean = false): Unit = {
      asked = asked.filterNot(bench.answers.contains)
      while (load && asked.size < 8) asked :+= bench.ask(read(other))
      if (check) bench.pulseCheck() else bench.tick()
    }
    def until(hint: String)(done: => Boolean): Unit = {
      val start = time
      while (!done) {
        tick()
        assert(time - start < 3000, hint)
      }
    }
    until("no time goes by")(time > 200)

    /** The target's read. */
    val ticket: Int = bench.ask(read(target))
    def firstBeat: Int = bench.answers(ticket).beats.head - begin
  }

  for ((name, params) <- schemes)
    test(
      s"$name: a check ends under a stream of reads, and not before the alarm for old memory that was read",
      Thorough.unless(name == "counter tree"): _*
    ) {
      simulate(new MemoryProtectionEngine(Protection(params, bank))) { dut =>
        val calm = new Run(dut, stale = 0, load = true)
        calm.tick(check = true)
        var always = true
        calm.until("a check waits for ever under load") {
          always &&= calm.unverified
          !calm.checking
        }
        assert(always, "nothing was to be verified at some moment")
        calm.until("no answer")(calm.scheme.bench.answers.contains(calm.ticket))
        assert(!calm.alarmed, "a false alarm")

        val all = VerdictLines(calm.scheme.p, target).size
        // Block tags alone do not tell an old block with all that is its own
        for (stale <- 1 to (if (params.integrity.isInstanceOf[BlockMac]) all - 1 else all)) {
          val seen = new Run(dut, stale)
          seen.until(s"the first $stale lines are old, and no alarm")(seen.alarmed)
          val alarm = seen.time
          seen.until("no answer")(seen.scheme.bench.answers.contains(seen.ticket))
          val window = seen.firstBeat until alarm
          // A line of counters is found false before the first beat that it encrypts leaves
          assert(window.nonEmpty || (params.integrity.isInstanceOf[BonsaiTree] && stale > 1), "no beat leaves early")
          for (at <- window by math.max(1, window.size / 8)) {
            val run = new Run(dut, stale)
            run.until("no time goes by")(run.time == at)
            run.tick(check = true)
            run.until("a check waits for ever")(!run.checking)
            for (_ <- 0 until settling) run.tick()
            assert(run.alarmed, s"the first $stale lines are old: a check at $at ends without an alarm, of $window")
          }
        }
      }
    }

  test(
    "the fence waits for the reads of the moment, then for the counter lines of that moment, then for the verifier, and for nothing later"
  ) {
    simulate(new VerificationFence(Protection(schemes.last._2, bank))) { dut =>
      def cycle(
          check: Boolean = false,
          reads: Int = 0,
          counters: Int = 0,
          fenced: Boolean = false
      ): (Boolean, Boolean) = {
        dut.io.check.poke(check)
        dut.io.reads.poke(reads)
        dut.io.counters.poke(counters)
        dut.io.fenced.poke(fenced)
        val now = (dut.io.waits.peekBoolean(), dut.io.fence.peekBoolean())
        step()
        now
      }
      resetDesign(dut)
      assert(cycle() == ((false, false)))
      assert(cycle(check = true, reads = 3, counters = 1) == ((false, false)))
      assert(cycle(reads = 3, counters = 1) == ((true, false))) // the moment
      assert(cycle(reads = 6, counters = 2) == ((true, false))) // one is done, another came
      assert(cycle(
        reads = 5,
        counters = 2
      ) == ((true, false))) // the other is done, and another of its number came: lines of now
      for (_ <- 0 until 3) assert(cycle(reads = 5, counters = 1) == ((true, false)))
      assert(cycle(reads = 5, counters = 2, check = true) == ((true, false))) // the line is settled, and another came
      assert(cycle(reads = 5, counters = 2) == ((true, true)))
      for (_ <- 0 until 3) assert(cycle(reads = 5, counters = 2) == ((true, false)))
      assert(cycle(reads = 5, counters = 1, fenced = true) == ((true, false)))
      // The check that was asked for meanwhile
      assert(cycle(reads = 1) == ((true, false)))
      for (_ <- 0 until 3) assert(cycle(reads = 1) == ((true, false)))
      for (_ <- 0 until 2) assert(cycle() == ((true, false)))
      assert(cycle() == ((true, true)))
      assert(cycle(fenced = true) == ((true, false)))
      assert(cycle() == ((false, false)))
    }
  }
}
