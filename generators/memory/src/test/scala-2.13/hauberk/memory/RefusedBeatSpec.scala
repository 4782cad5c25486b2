package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.integrity.Verification
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A blocking engine hashes a line as its beats come. A beat that memory refuses, also the last, makes the line one that is denied and not
  * judged: none of its bytes is given out, and what memory sent raises no alarm.
  */
class RefusedBeatSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 14, engine = 2)
  private val attacked = 3
  private val read = Transfer(write = false, 64 * attacked, 6)

  for {
    (name, params) <- Seq(
      ("block tags", ProtectionParams.blockMac),
      ("counter tree", ProtectionParams.bonsaiTreeBlocking),
      ("hash tree", ProtectionParams.aegisHashTree.copy(verification = Verification.Blocking))
    )
  } test(s"$name: a line of which memory refuses one beat is denied, with no byte and no alarm") {
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), bank))) { dut =>
      resetDesign(dut)
      val scheme = new SchemeBench(this, dut, SteadyMemory(20), seed = 4, imageBlocks = 0)
      scheme.start()
      val bench = scheme.bench
      val data = Transfer.randomBytes(scheme.random, 64)
      assert(!bench.run(Transfer(write = true, 64 * attacked, 6, data)).denied)
      bench.flush()
      val stored = bench.block(attacked)
      for (beat <- 0 until 8) withClue(s"beat $beat is refused: ") {
        assert(bench.run(read).data == data) // counter and tag are on the chip
        stored(8 * beat) = (stored(8 * beat) ^ 1).toByte
        bench.memory.broken += ((attacked, beat))
        val answer = bench.run(read)
        assert(answer.denied && answer.data.forall(_ == 0), "refused bytes are given out")
        bench.memory.broken.clear()
        stored(8 * beat) = (stored(8 * beat) ^ 1).toByte
        for (_ <- 0 until 100) bench.tick()
        assert(!dut.io.status.alarm.peekBoolean(), "an alarm for a line of which nothing was given out")
        assert(bench.run(read).data == data)
      }
      stored(63) = (stored(63) ^ 1).toByte
      assert(bench.run(read).denied, "the last byte is not verified")
      assert(dut.io.status.alarm.peekBoolean())
    }
  }

  // covers: memory.refusals
  test("refused lines among honest ones: those are denied with no byte, these are right, and nothing raises an alarm") {
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(ProtectionParams.blockMac), bank))) { dut =>
      for (seed <- 1 to 3) withClue(s"seed $seed: ") {
        resetDesign(dut)
        val timing = if (seed == 1) SteadyMemory(20) else new HastyMemory(new Random(seed), 40)
        val scheme = new SchemeBench(this, dut, timing, seed, imageBlocks = 0)
        scheme.start()
        val bench = scheme.bench
        val blocks = scheme.random.shuffle(scheme.plain.indices.toVector).take(60)
        for (block <- blocks)
          scheme.ask(Transfer(write = true, 64 * block, 6, Transfer.randomBytes(scheme.random, 64)))
        bench.drain()
        bench.flush()
        val refused = blocks.take(15)
        for (block <- refused) {
          val beat = scheme.random.nextInt(8)
          bench.memory.broken += ((block, beat))
          bench.block(block)(8 * beat) = (bench.block(block)(8 * beat) ^ 1).toByte
        }
        val asked = Seq.fill(150)(blocks(scheme.random.nextInt(blocks.size)))
        val answers = bench.runAll(asked.map(block => Transfer(write = false, 64 * block, 6)))
        for ((block, answer) <- asked.zip(answers))
          if (refused.contains(block)) assert(answer.denied && answer.data.forall(_ == 0), s"block $block is given out")
          else assert(!answer.denied && answer.data == scheme.plain(block).toSeq, s"block $block is not given out")
        assert(!scheme.alarmed)
      }
    }
  }
}
