package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank}
import hauberk.memory.counter.{TimestampUpdate, Timestamps}
import hauberk.memory.integrity.{BonsaiTree, Verification}
import hauberk.memory.reference.ReferenceCounters
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Timestamps that are counted per address, or mixed, under a counter tree: traffic against a plain model; what a write gets; and that
  * memory which turns them back is found out before a pad is used again.
  */
class TimestampSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 17, idBits = 4, engine = 3)
  private def protection(update: TimestampUpdate, verification: Verification, bits: Int = 28) = {
    val params = ProtectionParams(
      counters = Timestamps(bits, update = update),
      integrity = BonsaiTree(),
      verification = verification
    )
    Protection(SmallCaches(params), bank)
  }
  private def write(block: Int, byte: Int) = Transfer(write = true, block * 64, 6, Seq.fill(64)(byte.toByte))
  private def read(block: Int) = Transfer(write = false, block * 64, 6)

  /** The timestamps in memory. */
  private def versions(s: SchemeBench, block: Int): BigInt = {
    val line = s.bench.block(s.p.layout.counterLineAddress(s.p.layout.counterLine(block)).toInt / 64)
    ReferenceCounters.PerAddress.decode(line)(block % 16)
  }

  private def started(dut: MemoryProtectionEngine, timing: MemoryTiming): SchemeBench = {
    resetDesign(dut)
    val s = new SchemeBench(this, dut, timing, seed = 7, imageBlocks = 100)
    s.start()
    s
  }

  private def traffic(dut: MemoryProtectionEngine): Unit =
    for (timing <- Seq(SteadyMemory(20), new HastyMemory(new Random(5), 40))) withClue(s"$timing: ") {
      val s = started(dut, timing)
      val all = s.plain.indices.toVector
      s.traffic(150, all.take(24), flushes = true)
      s.traffic(200, s.random.shuffle(all).take(200))
      s.flush()
    }

  /** An old line of timestamps, with all that belongs to it, is put back between two writes of its block. */
  private def rolledBack(dut: MemoryProtectionEngine): Unit = {
    val s = started(dut, SteadyMemory(20))
    val far = (1 to 12).map(16 * _)
    def evict(): Unit = far.foreach(b => s.bench.run(read(b)))
    val line = s.p.layout.counterLineAddress(0).toInt / 64
    val tags = s.p.layout.tagAddress(0).toInt / 64
    s.bench.run(write(0, 1))
    s.flush()
    val old = Seq(line, tags, 0).map(b => b -> s.bench.block(b).clone)
    s.bench.run(write(0, 2))
    s.flush()
    evict()
    val before = s.bench.block(0).toSeq
    old.foreach { case (b, bytes) => s.bench.memory.blocks(b) = bytes }
    s.bench.run(write(0, 3))
    for (_ <- 0 until 2000) s.bench.tick()
    assert(s.alarmed && dut.io.status.cause.peek() == AlarmCause.metadataMismatch)
    val pad = before.map(_ ^ 2)
    assert(s.bench.block(0).zip(pad).exists { case (c, m) => c != (m ^ 3) }, "a pad is used twice")
    assert(s.bench.run(read(0)).denied)
  }

  // covers: memory.no-pad-twice
  test("per address: a plain memory for the client, a counter of its own for every block, and no way back") {
    simulate(new MemoryProtectionEngine(protection(TimestampUpdate.PerAddress, Verification.Speculative))) { dut =>
      traffic(dut)
      val s = started(dut, SteadyMemory(20))
      for {
        (block, writes) <- Seq(3 -> 5, 4 -> 1, 130 -> 2)
        i <- 0 until writes
      } s.bench.run(write(block, i))
      s.flush()
      assert(Seq(3, 4, 5, 130).map(versions(s, _)) == Seq(5, 1, 0, 2))
      rolledBack(dut)
    }
  }

  test("mixed: a block's own version while it is on the chip, TIMER otherwise", Thorough) {
    simulate(new MemoryProtectionEngine(protection(TimestampUpdate.Mixed, Verification.Blocking))) { dut =>
      traffic(dut)
      val s = started(dut, SteadyMemory(20))
      for (i <- 0 until 5) s.bench.run(write(3, i)) // a miss: TIMER + 1 = 1; then hits
      s.bench.run(write(4, 0)) // a hit: its own + 1
      s.bench.run(write(130, 0)) // a miss: TIMER + 1
      s.bench.run(write(130, 1)) // a hit
      s.bench.run(write(4, 1))
      s.flush()
      assert(Seq(3, 4, 5, 130).map(versions(s, _)) == Seq(5, 2, 0, 7))
      rolledBack(dut)
    }
  }

  // covers: memory.counter-end
  test("per address: the last timestamp of a block stops the engine") {
    simulate(new MemoryProtectionEngine(protection(TimestampUpdate.PerAddress, Verification.Blocking, bits = 3))) {
      dut =>
        val s = started(dut, SteadyMemory(20))
        for {
          i <- 1 to 7
          block <- Seq(0, 1)
        } assert(!s.bench.run(write(block, i)).denied)
        assert(s.bench.run(write(1, 8)).denied)
        assert(dut.io.status.cause.peek() == AlarmCause.counterOverflow && dut.io.status.address.peek() == 64)
    }
  }
}
