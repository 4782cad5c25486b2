package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

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
      ("counter tree", ProtectionParams.bonsaiTreeBlocking)
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
}
