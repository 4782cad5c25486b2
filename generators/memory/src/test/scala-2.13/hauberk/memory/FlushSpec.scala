package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.counter.{TimestampUpdate, Timestamps}
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A flush that begins in another: everything that was written before it is in memory when the engine says that it is over. */
// covers: memory.flush
class FlushSpec extends AnyFunSuite with Simulation {
  private val params =
    ProtectionParams.bonsaiTree.copy(counters = Timestamps(timestampBits = 28, update = TimestampUpdate.PerAddress))
  private val p = Protection(SmallCaches(params), Bank(localBytes = 1 << 20, beatBytes = 8))

  /** Writes of metadata take long, so that a flush does, too. */
  private object SlowWrites extends SteadyMemory(4) {
    override def delay(write: Boolean): Int = if (write) 60 else latency
  }

  test("a flush that begins in another is whole, at whatever level of a counter tree the other is") {
    simulate(new MemoryProtectionEngine(p)) { dut =>
      resetDesign(dut)
      val random = new Random(5)
      val bench = new EngineBench(this, dut, SlowWrites)
      def write(block: Int): Unit =
        assert(!bench.run(Transfer(write = true, 64 * block, 6, Transfer.randomBytes(random, 64))).denied)
      def flushing = dut.io.status.flushing.peekBoolean()
      bench.start(ProtectionKeys(Array.fill(16)(3), Array.fill(16)(5)))
      val overlaps = for (wait <- 0 until 900 by 30) yield {
        for (_ <- 0 until 3) write(random.nextInt(8192))
        bench.pulseFlush()
        for (_ <- 0 until wait) bench.tick()
        write(random.nextInt(8192))
        val overlaps = flushing
        bench.flush()
        val lines = (p.layout.counterBase / 64).toInt until (p.bank.localBytes / 64).toInt
        def metadata = lines.map(bench.block(_).toSeq)
        val before = metadata
        for (_ <- 0 until 600) bench.tick()
        val late = before.zip(metadata).count { case (then, now) => then != now }
        assert(late == 0, s"lines are written back after a flush that began $wait cycles after another")
        overlaps
      }
      assert(overlaps.count(identity) > 5, "hardly a flush began in another")
      assert(!dut.io.status.alarm.peekBoolean())
    }
  }

  /** Acknowledges a write with its first beat, and takes the next ones in its own time. */
  private class EagerMemory(random: Random) extends HastyMemory(random, 4) {
    override def requestReady: Boolean = random.nextInt(6) == 0
    override def clientOffers: Boolean = true
  }

  test("a flush ends when memory has every beat, though it acknowledges writes with the first") {
    simulate(new MemoryProtectionEngine(p)) { dut =>
      resetDesign(dut)
      val random = new Random(6)
      val bench = new EngineBench(this, dut, new EagerMemory(random))
      bench.start(ProtectionKeys(Array.fill(16)(3), Array.fill(16)(5)))
      for (round <- 0 until 40) {
        bench.run(Transfer(write = true, 64 * random.nextInt(8192), 6, Transfer.randomBytes(random, 64)))
        bench.flush()
        val written = bench.memory.written.size
        for (_ <- 0 until 100) bench.tick()
        assert(bench.memory.written.size == written, s"a beat is written after flush $round")
      }
      assert(!dut.io.status.alarm.peekBoolean())
    }
  }
}
