package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank}
import hauberk.memory.integrity.Verification
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite

/** A speculative engine gives bytes to its client before they are verified. Memory that refuses the rest of their block must not thereby keep them from
  * being verified.
  */
// covers: memory.released-bytes
class ReleasedBytesSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 14, engine = 2)
  private val beats = 8
  private val attacked = 3
  private val read = Transfer(write = false, 64 * attacked, 6)

  /** An engine that has written a block, whose counter it holds. */
  private class Run(dut: MemoryProtectionEngine, timing: MemoryTiming = SteadyMemory(20), block: Int = attacked) {
    resetDesign(dut)
    val scheme = new SchemeBench(ReleasedBytesSpec.this, dut, timing, seed = 4, imageBlocks = 0)
    val bench: EngineBench = scheme.bench
    scheme.start()
    val data: Seq[Byte] = Transfer.randomBytes(scheme.random, 64)
    assert(!bench.run(Transfer(write = true, 64 * block, 6, data)).denied)
    idle(300)

    def idle(cycles: Int): Unit = for (_ <- 0 until cycles) bench.tick()

    /** The cause of the alarm, after all that verification there is, or 0. */
    def verdict(): Int = {
      idle(400)
      bench.pulseCheck()
      bench.awaitCheck()
      idle(4)
      if (dut.io.status.alarm.peekBoolean()) dut.io.status.cause.peek().toInt else 0
    }
  }

  for {
    (name, params, cause) <- Seq(
      ("block tags", ProtectionParams.blockMac.copy(verification = Verification.Speculative), AlarmCause.blockMismatch),
      ("hash tree", ProtectionParams.aegisHashTree, AlarmCause.blockMismatch),
      ("log hash", ProtectionParams.aegisLogHash, AlarmCause.logMismatch),
      ("counter tree", ProtectionParams.bonsaiTree, AlarmCause.blockMismatch)
    )
  } test(
    s"$name: forged beats are found though memory refuses a later one; a block refused as a whole raises no alarm",
    Thorough.unless(name == "log hash" || name == "counter tree"): _*
  ) {
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), bank))) { dut =>
      for {
        from <- 1 until beats
        to <- Set(from + 1, beats)
      } withClue(s"beats $from until $to are refused: ") {
        val run = new Run(dut)
        val stored = run.bench.block(attacked)
        stored(0) = (stored(0) ^ 1).toByte
        run.bench.memory.broken ++= (from until to).map((attacked, _))
        val answer = run.bench.run(read)
        assert(answer.denied && answer.data.head == (run.data.head ^ 1).toByte, "no forged byte was given out")
        stored(0) = (stored(0) ^ 1).toByte // memory hides what it did
        run.bench.memory.broken.clear()
        assert(run.verdict() == cause)
        assert(run.bench.run(Transfer(write = false, 64 * 9, 6)).denied, "a halted protector must deny")
      }
      val run = new Run(dut)
      run.bench.memory.refused += attacked
      val answer = run.bench.run(read)
      assert(answer.denied && answer.data.forall(_ == 0), "refused bytes are given out")
      run.bench.memory.refused -= attacked // a check reads the block once more
      assert(run.verdict() == AlarmCause.none, "an alarm for a block of which nothing was given out")
      assert(run.bench.run(read).data == run.data)
    }
  }

  test(
    "block tags: a forged beat that leaves in any cycle around that of the last beat, which memory refuses, is found"
  ) {
    val params = ProtectionParams.blockMac.copy(verification = Verification.Speculative)
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), bank))) { dut =>
      val layout = dut.p.layout
      val given = for {
        block <- Seq(attacked, attacked + 2)
        counterDelay <- 8 to 28
      } yield withClue(s"block $block, whose counter takes $counterDelay cycles: ") {
        val run = new Run(
          dut,
          new UnorderedMemory {
            override def delay(write: Boolean, address: Int): Int =
              if (!write && address >= layout.counterBase && address < layout.tagBase) counterDelay else delay(write)
          },
          block
        )
        run.bench.flush()
        for (i <- 0 until 12)
          run.bench.run(Transfer(write = false, 64 * (40 + 8 * i), 6)) // counter and tag leave the caches
        run.bench.block(block)(0) = (run.bench.block(block)(0) ^ 1).toByte
        run.bench.memory.broken += ((block, beats - 1))
        val answer = run.bench.run(Transfer(write = false, 64 * block, 6))
        run.bench.block(block)(0) = (run.bench.block(block)(0) ^ 1).toByte
        run.bench.memory.broken.clear()
        val forged = answer.data.head == (run.data.head ^ 1).toByte
        assert(answer.denied && (forged || answer.data.forall(_ == 0)))
        assert(run.verdict() == (if (forged) AlarmCause.blockMismatch else AlarmCause.none))
        forged
      }
      assert(given.toSet.size == 2, "the forged beat left always, or never")
    }
  }
}
