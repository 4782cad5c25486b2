package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank}
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Pages of split counters that turn in a whole engine, several at a time, under traffic that fills every queue: package blocks, blocks
  * nobody has written and blocks that are being written are re-encrypted, and the client sees none of it.
  */
// covers: memory.page-turn
class PageTurnSpec extends AnyFunSuite with Simulation {
  for (name <- Seq("BonsaiTree", "BonsaiTreeBlocking"))
    test(
      s"$name: pages turn side by side and the client sees a plain memory",
      Thorough.unless(name == "BonsaiTree"): _*
    ) {
      val p =
        Protection(SmallCaches(ProtectionParams.presets(name)), Bank(localBytes = 1 << 17, idBits = 4, engine = 3))
      simulate(new MemoryProtectionEngine(p)) { dut =>
        for (timing <- Seq(SteadyMemory(20), new HastyMemory(new Random(5), 20))) withClue(s"$timing: ") {
          resetDesign(dut)
          val scheme = new SchemeBench(this, dut, timing, seed = 7, imageBlocks = 100)
          scheme.start()
          // A package block, a block of a page that is half package, one of nobody's page, and the last
          val last = p.layout.dataBlocks.toInt - 1
          scheme.traffic(800, Seq(5, 101, 700, last), flushes = true)
          val turned = Seq(5, 101, 700, last).map(_ / 64)
          val reencrypted = dut.io.statistics.reencrypted.peek()
          assert(reencrypted >= 4 * 50, s"$reencrypted blocks were re-encrypted")
          scheme.flush()
          scheme.traffic(300, turned.flatMap(page => page * 64 until math.min(page * 64 + 64, last + 1)))
        }
      }
    }

  test("a flush that begins while a page turns leaves nothing of the page behind") {
    val p = Protection(SmallCaches(ProtectionParams.bonsaiTree), Bank(localBytes = 1 << 17, idBits = 4))
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (wait <- Seq(0, 5, 40, 300, 900)) withClue(s"a flush $wait cycles after the write that turns the page: ") {
        resetDesign(dut)
        val scheme = new SchemeBench(this, dut, SteadyMemory(20), seed = 9, imageBlocks = 0)
        scheme.start()
        for (i <- 0 until 64) scheme.bench.run(Transfer(write = true, 5 * 64, 6, Seq.fill(64)(i.toByte)))
        for (_ <- 0 until wait) scheme.bench.tick()
        scheme.bench.flush()
        val flushed = scheme.bench.memory.contents
        assert(dut.io.statistics.reencrypted.peek() >= 60)
        scheme.bench.flush()
        val late = scheme.bench.memory.contents.toSet.diff(flushed.toSet).map(_._1)
        assert(late.isEmpty, "are written back by a second flush")
      }
    }
  }

  test("a flush that begins while a page turns waits until the last block of the page is in memory") {
    val p = Protection(SmallCaches(ProtectionParams.bonsaiTree), Bank(localBytes = 1 << 17, idBits = 4))
    simulate(new MemoryProtectionEngine(p)) { dut =>
      resetDesign(dut)
      val scheme = new SchemeBench(this, dut, new UnsteadyMemory(new Random(4), 40), seed = 9, imageBlocks = 0)
      val bench = scheme.bench
      scheme.start()
      val lastOfPage = 63
      bench.memory.withheld = _ == lastOfPage
      for (i <- 0 until 64) bench.run(Transfer(write = true, 5 * 64, 6, Seq.fill(64)(i.toByte)))
      bench.pulseFlush()
      for (_ <- 0 until 10000) bench.tick()
      assert(bench.memory.withholds, "the last block is not written")
      assert(dut.io.status.flushing.peekBoolean(), "the flush ended before the last block was in memory")
      bench.memory.withheld = _ => false
      for (_ <- 0 until 2000 if dut.io.status.flushing.peekBoolean()) bench.tick()
      assert(!dut.io.status.flushing.peekBoolean(), "the flush does not end")
      val flushed = bench.memory.contents
      scheme.flush()
      assert(bench.memory.contents == flushed, "a second flush writes back what the first left behind")
    }
  }

  test("a block that memory refuses while its page turns stops the engine, which names it") {
    val p = Protection(SmallCaches(ProtectionParams.bonsaiTree), Bank(localBytes = 1 << 17, idBits = 4))
    simulate(new MemoryProtectionEngine(p)) { dut =>
      resetDesign(dut)
      val scheme = new SchemeBench(this, dut, SteadyMemory(20), seed = 8, imageBlocks = 0)
      scheme.start()
      scheme.bench.memory.refused += 10
      def write() = scheme.bench.run(Transfer(write = true, 5 * 64, 6, Seq.fill(64)(3.toByte)))
      val before = (1 to 63).map(_ => write().denied)
      assert(!before.contains(true) && !scheme.alarmed, "nothing is wrong before the page turns")
      write()
      for (_ <- 0 until 4000 if !scheme.alarmed) scheme.bench.tick()
      assert(scheme.alarmed, "the block is lost and nobody is told")
      assert(dut.io.status.cause.peek() == AlarmCause.metadataError && dut.io.status.address.peek() == 10 * 64)
      assert(write().denied, "it is halted")
    }
  }
}
