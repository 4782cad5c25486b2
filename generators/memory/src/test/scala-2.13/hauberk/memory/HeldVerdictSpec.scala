package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank}
import hauberk.memory.counter.{TimestampUpdate, Timestamps}
import hauberk.memory.integrity.Verification
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite

/** Memory that an attacker schedules gives a block at once, and keeps back a line on which its verdict rests: tags, counters, a node of any level. A
  * speculative engine raises the alarm in time; an engine that verifies before use gives out nothing.
  */
class HeldVerdictSpec extends AnyFunSuite with Simulation {
  private val target = 5
  private val bank = Bank(localBytes = 1 << 15, engine = 2)

  /** The bound that is promised, in cycles from the first beat, and what the engine is built with. */
  private val bound = 600
  private def tight(params: ProtectionParams) = SmallCaches(params).copy(verdictTimeout = 600)

  private def as(verification: Verification, params: ProtectionParams) = params.copy(verification = verification)
  private val counterTree = ProtectionParams.bonsaiTree
  private val hashTree = ProtectionParams.aegisHashTree
  private val perAddress =
    counterTree.copy(counters = Timestamps(timestampBits = 28, update = TimestampUpdate.PerAddress))
  private val speculative = Seq(
    "block tags" -> as(Verification.Speculative, ProtectionParams.blockMac),
    "hash tree" -> hashTree,
    "counter tree" -> counterTree
  )

  /** Everything comes at once, but for a line. */
  private class Scheduled extends UnorderedMemory {
    var line = -1
    var cycles = 0

    /** The line was asked for. */
    var holds = false
    override def delay(write: Boolean, address: Int): Int = {
      val here = !write && address / 64 == line
      if (here) holds = true
      if (write) 1 else if (here) 8 + cycles else 8
    }
  }

  /** An engine whose caches have nothing of the target, and whose memory holds one of the lines on which it rests.
    *
    * @param line   its place among them; the block itself is not held
    * @param cycles for which it is held
    * @param forges the block is changed, too
    * @param owned  its page has an owner
    * @param writes the target is written; otherwise it is read
    */
  private class Run(
      dut: MemoryProtectionEngine,
      line: Int,
      cycles: Int,
      forges: Boolean = false,
      owned: Boolean = false,
      writes: Boolean = false
  ) {
    resetDesign(dut)
    private val timing = new Scheduled
    val scheme = new SchemeBench(HeldVerdictSpec.this, dut, timing, seed = 4, imageBlocks = 0)
    import scheme.bench
    private val lines = VerdictLines(scheme.p, target)
    private val blocks = scheme.p.layout.dataBlocks.toInt
    bench.owners.foreach(_.owned = block => owned && block / 64 == target / 64)
    scheme.start()
    val data: Seq[Byte] = Transfer.randomBytes(scheme.random, 64)
    assert(!bench.run(Transfer(write = true, 64 * target, 6, data)).denied)
    bench.flush()
    for (_ <- 0 until 40) bench.run(Transfer(write = false, 64 * (blocks / 2 + scheme.random.nextInt(blocks / 2)), 6))
    if (forges) bench.block(target)(0) = (bench.block(target)(0) ^ 1).toByte
    timing.line = lines(line)
    timing.cycles = cycles
    private val ticket = bench.ask(Transfer(writes, 64 * target, 6, if (writes) data else Nil))
    private val start = bench.cycle
    private var alarmAt, answeredAt = Option.empty[Int]
    for (cycle <- 0 until 2 * bound) {
      bench.tick()
      if (alarmAt.isEmpty && scheme.alarmed) alarmAt = Some(cycle)
      if (answeredAt.isEmpty && bench.answers.contains(ticket)) answeredAt = Some(cycle)
    }
    val alarm: Option[Int] = alarmAt
    val cause: Int = dut.io.status.cause.peek().toInt
    val answer: Option[Answer] = bench.answers.get(ticket)

    /** Memory holds the line; what is in a cache, it is not asked for. */
    def holds: Boolean = timing.holds

    /** The cycle in which the first beat came, as the alarm's is counted. */
    def firstBeat: Int = answer.get.beats.head - start
    def denies: Boolean = bench.run(Transfer(write = false, 64 * 9, 6)).denied
    def isOpen: Boolean = answer.exists(a => !a.denied && a.data == data)
  }

  /** Lines behind the block that can be held. */
  private def held(p: Protection): Range = 1 until VerdictLines(p, target).size

  for ((name, params) <- speculative)
    // covers: memory.late-verdict
    test(s"$name: a verdict that memory keeps back is an alarm in time, with forged data and without") {
      simulate(new MemoryProtectionEngine(Protection(tight(params), bank))) { dut =>
        val kept = for {
          line <- held(dut.p)
          forges <- Seq(false, true)
        } yield withClue(s"line $line, forged: $forges: ") {
          val run = new Run(dut, line, cycles = 1 << 20, forges)
          for (answer <- run.answer if run.holds && !answer.denied) {
            assert(
              run.alarm.exists(_ <= run.firstBeat + bound),
              s"alarm at ${run.alarm}, first beat at ${run.firstBeat}"
            )
            assert(run.cause == AlarmCause.lateVerdict)
            assert(run.denies, "a halted engine must deny")
          }
          run.holds && run.answer.exists(!_.denied)
        }
        assert(kept.count(identity) >= 2, "nothing was given out")
        for (line <- held(dut.p)) withClue(s"line $line is slow: ") {
          val run = new Run(dut, line, cycles = bound / 2 - 100)
          assert(run.alarm.isEmpty && run.isOpen)
        }
      }
    }

  test(
    "counter tree: nothing that rests on a node leaves, and no write is acknowledged, before memory gives the node"
  ) {
    // More nodes than the cache keeps
    simulate(new MemoryProtectionEngine(Protection(tight(counterTree), bank.copy(localBytes = 1 << 18)))) { dut =>
      val node = 3
      for (writes <- Seq(false, true)) withClue(s"written: $writes: ") {
        val run = new Run(dut, node, cycles = 1 << 20, forges = !writes, writes = writes)
        assert(run.holds && run.answer.isEmpty && run.alarm.isEmpty)
        val late = new Run(dut, node, cycles = 150, writes = writes)
        assert(late.holds && late.alarm.isEmpty && late.answer.exists(!_.denied))
      }
    }
  }

  for {
    (name, params, owned) <- Seq(
      ("counter tree, blocking", as(Verification.Blocking, counterTree), false),
      ("hash tree, blocking", as(Verification.Blocking, hashTree), false),
      ("counter tree, owned pages", as(Verification.ByOwner, counterTree), true),
      ("per-address timestamps, owned pages", as(Verification.ByOwner, perAddress), true),
      ("hash tree, owned pages", as(Verification.ByOwner, hashTree), true),
      ("block tags, owned pages", as(Verification.ByOwner, ProtectionParams.blockMac), true)
    )
  } test(
    s"$name: nothing leaves without its verdict; with it, what was written or nothing",
    Thorough.unless(
      name == "counter tree, blocking" || name == "counter tree, owned pages" || name == "hash tree, owned pages"
    ): _*
  ) {
    simulate(new MemoryProtectionEngine(Protection(tight(params), bank))) { dut =>
      val kept = for {
        line <- held(dut.p)
        forges <- Seq(false, true)
      } yield withClue(s"line $line, forged: $forges: ") {
        val run = new Run(dut, line, cycles = 1 << 20, forges, owned)
        if (run.holds) assert(run.answer.forall(_.denied), "unverified data left")
        val late = new Run(dut, line, cycles = 150, forges, owned)
        if (forges) assert(late.answer.exists(_.denied) && late.cause == AlarmCause.blockMismatch)
        else assert(late.isOpen && late.alarm.isEmpty)
        run.holds
      }
      assert(kept.count(identity) >= 2, "nothing was held")
    }
  }

  // covers: memory.owner
  test("by owner: pages of nobody are speculative, and until the answer comes nothing leaves") {
    simulate(new MemoryProtectionEngine(Protection(tight(as(Verification.ByOwner, counterTree)), bank))) { dut =>
      val (tagLine, latency) = (2, 40)
      val nobodys = new Run(dut, tagLine, cycles = 1 << 20)
      assert(nobodys.answer.exists(!_.denied) && nobodys.cause == AlarmCause.lateVerdict)

      /** Cycles from the request to the first beat. */
      def firstBeat(owned: Boolean, delay: Int): Int = {
        resetDesign(dut)
        val scheme = new SchemeBench(this, dut, SteadyMemory(latency), seed = 4, imageBlocks = 0)
        val bench = scheme.bench
        bench.owners.get.owned = _ => owned
        bench.owners.get.delay = _ => delay
        scheme.start()
        val data = Transfer.randomBytes(scheme.random, 64)
        bench.run(Transfer(write = true, 64 * target, 6, data))
        bench.flush()
        val answer = bench.run(Transfer(write = false, 64 * target, 6))
        assert(!answer.denied && answer.data == data)
        answer.beats.head - answer.asked
      }
      val verified = firstBeat(owned = true, delay = 0)
      assert(verified > latency + 7, "a beat of an owned page left before the last one came")
      for (delay <- 0 to 60 by 4) withClue(s"an answer after $delay cycles: ") {
        assert(firstBeat(owned = true, delay) == verified)
        // The question leaves in the cycle after the request, and the answer is known in the next; or the verdict comes before
        val nobodys = firstBeat(owned = false, delay)
        if (delay + 2 <= latency) assert(nobodys == latency, "an answer in time adds a cycle")
        else assert(nobodys >= math.min(delay + 2, verified) && nobodys <= verified)
      }
    }
  }
}
