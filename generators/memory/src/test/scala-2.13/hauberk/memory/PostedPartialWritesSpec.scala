package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.counter.CompilerCounters
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Posted writes of parts of blocks, which [[CompilerCounters]] lets the engine acknowledge before the old bytes of their blocks are there: whatever
  * then goes wrong halts the engine with the block's address.
  */
class PostedPartialWritesSpec extends AnyFunSuite with Simulation {
  private val counters = CompilerCounters(registers = 2, ids = 8)
  private def engine(bank: Bank, counters: CompilerCounters, posted: Boolean): Protection =
    Protection(ProtectionParams.compilerCounters.copy(counters = counters, postedWrites = posted), bank)
  private val words = Bank(localBytes = 1 << 14, blockBytes = 8)
  private val lines = Bank(localBytes = 1 << 14, blockBytes = 32)
  private val old = (n: Int) => Seq.fill(n)(55.toByte)

  /** Runs on an engine before memory of some latency, for the first and the last block, each of which holds `old`. */
  private def each(
      bank: Bank = words,
      counters: CompilerCounters = counters,
      posted: Boolean = true,
      latency: Int = 40,
      times: Range = 0 until 1
  )(body: (MemoryProtectionEngine, SteeringBench, Int, Int) => Unit): Unit = {
    val p = engine(bank, counters, posted)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for {
        block <- Seq(0, p.layout.dataBlocks.toInt - 1)
        time <- times
      } withClue(s"block $block, time $time: ") {
        resetDesign(dut)
        val s = new SteeringBench(this, dut, new Random(1), SteadyMemory(latency))
        s.start()
        s.fill(block, 55)
        s.idle(2 * latency)
        body(dut, s, block, time)
      }
    }
  }
  private def halted(dut: MemoryProtectionEngine): Boolean = dut.io.status.halted.peekBoolean()
  private def checkHalted(dut: MemoryProtectionEngine, s: SteeringBench, block: Int): Unit = {
    assert(halted(dut) && dut.io.status.cause.peek() == AlarmCause.metadataError)
    assert(dut.io.status.address.peek() == block * s.blockBytes)
    assert(s.bench.run(s.read(1)).denied)
  }

  /** Asks for a write of a byte; cycles until its answer, which must not be denied. */
  private def acknowledged(s: SteeringBench, block: Int, bytes: Seq[Byte], at: Int, value: Int): Int = {
    val answer = s.bench.run(s.writeByte(block, bytes, at, value.toByte))
    assert(!answer.denied)
    answer.beats.last - answer.asked
  }

  for ((name, bank) <- Seq("words" -> words, "lines of 32 bytes" -> lines))
    test(
      s"$name: they are acknowledged in the next cycle, in a row too; reads and flushes wait for all of them",
      Thorough.unless(name == "words"): _*
    ) {
      each(bank) { (dut, s, block, _) =>
        val first = old(s.blockBytes)
        assert(acknowledged(s, block, first, 0, 1) == 1)
        s.bench.pulseFlush()
        val second = first.updated(0, 1.toByte)
        assert(acknowledged(s, block, second, s.blockBytes - 1, 2) == 1)
        val whole = second.updated(s.blockBytes - 1, 2.toByte)
        val read = s.bench.ask(s.read(block))
        var flushed = Option.empty[Int]
        while (!s.bench.idle) {
          if (flushed.isEmpty && !dut.io.status.flushing.peekBoolean()) flushed = Some(s.writes)
          s.bench.tick()
        }
        assert(s.bench.answers(read).data == whole)
        assert(flushed.forall(_ >= 2), "a flush ends before the write that was acknowledged before it")
        s.idle(200)
        assert(s.writes == (if (s.blockBytes == 8) 2 else 3) && !halted(dut))
      }
    }

  test("without posted writes, memory has them before", Thorough) {
    each(posted = false) { (_, s, block, _) => assert(acknowledged(s, block, old(s.blockBytes), 3, 1) > 40) }
  }

  for ((what, metadata) <- Seq("old bytes" -> false, "the pair" -> true))
    test(s"memory that refuses $what halts the engine, and nothing is written") {
      each() { (dut, s, block, _) =>
        val refused = if (metadata) s.p.layout.counterAddress(block).toInt / s.blockBytes else block
        // The last pair that was written is another block's
        s.fill(5, 55)
        s.idle(100)
        s.bench.memory.refused += refused
        acknowledged(s, block, old(s.blockBytes), 3, 1)
        s.idle(300)
        checkHalted(dut, s, block)
        assert(s.writes == 2)
      }
    }

  test("the end of the global counter halts the engine, and nothing is written") {
    each(counters = counters.copy(globalBits = 2)) { (dut, s, block, _) =>
      for (other <- Seq(5, 6)) s.fill(other, 55)
      s.idle(200)
      acknowledged(s, block, old(s.blockBytes), 3, 1)
      s.idle(300)
      assert(halted(dut) && dut.io.status.cause.peek() == AlarmCause.counterOverflow)
      assert(dut.io.status.address.peek() == block * s.blockBytes && s.writes == 3)
    }
  }

  for (replaced <- Seq(false, true))
    test(s"the dynamic key counts, also when the spare one is usable${if (replaced) ", and when it is replaced at once"
      else ""}") {
      each() { (dut, s, block, _) =>
        s.bench.loadKey(KeySlot.spare, Array.fill(16)(5))
        // The write has no counter before the read is done
        val before = s.bench.ask(s.read(block))
        val write = s.bench.ask(s.write(block, Seq.fill(s.blockBytes)(7)))
        while (!s.bench.answers.contains(write)) s.bench.tick()
        assert(!s.bench.answers(write).denied && !s.bench.answers.contains(before))
        s.bench.zeroize(KeySlot.dynamic)
        if (replaced) s.bench.loadKey(KeySlot.dynamic, Array.fill(16)(9))
        s.idle(2)
        checkHalted(dut, s, block)
        assert(s.bench.run(s.read(block)).denied)
      }
    }

  test("a key that is lost before an acknowledged write is in memory halts the engine; otherwise the write is denied") {
    var halts, denials, writes = 0
    each(times = 0 until 130 by 3) { (dut, s, block, wait) =>
      val ticket = s.bench.ask(s.writeByte(block, old(s.blockBytes), 3, 1))
      s.idle(wait)
      val before = s.writes
      s.bench.zeroize(KeySlot.dynamic)
      s.idle(3)
      val acknowledged = s.bench.answers.get(ticket).exists(!_.denied)
      if (halted(dut)) {
        assert(acknowledged)
        checkHalted(dut, s, block)
        halts += 1
      } else {
        s.bench.loadKey(KeySlot.dynamic, Array.fill(16)(9))
        s.bench.drain(2000)
        s.idle(200)
        if (s.bench.answers(ticket).denied) denials += 1
        else {
          assert(before + 1 == s.writes || before == 2, "an acknowledged write is lost")
          writes += 1
        }
      }
    }
    info(s"$halts halts, $denials denied, $writes in memory")
    assert(halts > 20 && denials > 0 && writes > 3)
  }
}
