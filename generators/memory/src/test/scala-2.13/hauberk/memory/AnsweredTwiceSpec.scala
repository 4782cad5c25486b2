package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.integrity._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** Memory answers a read, then goes on with forged beats under the same identifier, while the verdict on the first answer waits for another line
  * that memory is slow with. What was verified must be what leaves: once, right, and without an alarm.
  */
// covers: memory.answers
class AnsweredTwiceSpec extends AnyFunSuite with Simulation {
  private val attacked = 3
  private val attackedRead = Transfer(write = false, 64 * attacked, 6)
  private def speculative(params: ProtectionParams) = params.copy(verification = Verification.Speculative)

  /** All is quick but one kind of line. */
  private class SlowLines extends UnorderedMemory {
    var slow: Int => Boolean = _ => false
    override def delay(write: Boolean, address: Int): Int = if (!write && slow(address)) 200 else delay(write)
  }

  for {
    (name, params) <- Seq(
      "counters" -> ProtectionParams.aegisOtp,
      "direct encryption" -> ProtectionParams.xom,
      "block tags" -> ProtectionParams.blockMac,
      "block tags, speculative" -> speculative(ProtectionParams.blockMac),
      "counter tree" -> ProtectionParams.bonsaiTreeBlocking,
      "counter tree, speculative" -> ProtectionParams.bonsaiTree,
      "hash tree" -> ProtectionParams.aegisHashTree.copy(verification = Verification.Blocking),
      "hash tree, speculative" -> ProtectionParams.aegisHashTree
    )
  } test(s"$name: no beat after a whole answer counts") {
    simulate(new MemoryProtectionEngine(Protection(SmallCaches(params), Bank(localBytes = 1 << 14, engine = 2)))) {
      dut =>
        val dataBytes = dut.p.layout.dataBytes.toInt
        val lines = (dut.p.bank.localBytes / 64).toInt
        val data = dataBytes / 64
        val part = 1 + (lines - data) / 4
        var late = 0
        for {
          repeats <- 1 to 2
          forged <- Seq[Int => Boolean](_ == attacked, number => number >= data, _ => true)
          slow <- data until lines by part
        } {
          resetDesign(dut)
          val timing = new SlowLines
          val scheme = new SchemeBench(this, dut, timing, seed = 4, imageBlocks = 0)
          scheme.start()
          val bench = scheme.bench
          val written = Transfer.randomBytes(scheme.random, 64)
          assert(!bench.run(Transfer(write = true, 64 * attacked, 6, written)).denied)
          bench.flush()
          // Counter, tag and nodes leave the caches
          for (i <- 0 until 12) bench.run(Transfer(write = false, 64 * (40 + 8 * i % (data - 40)), 6))
          timing.slow = address => (slow until slow + part).contains(address / 64)
          bench.memory.repeats = number => if (forged(number)) repeats else 0
          val answer = bench.run(attackedRead)
          if (answer.beats.last - answer.asked > 150) late += 1
          assert(!answer.denied && answer.data == written, s"$repeats forged answers, line $slow is slow")
          for (_ <- 0 until 300) bench.tick()
          assert(!scheme.alarmed, s"an alarm after $repeats forged answers, line $slow is slow")
        }
        if (dut.p.verifies && dut.p.blocking) assert(late > 0, "no answer waited")
    }
  }
}
