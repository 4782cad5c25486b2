package hauberk.memory

import hauberk.crypto.AesParams
import hauberk.memory.common.{Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.counter.{CompilerCounters, CounterHint}
import hauberk.memory.integrity.HashTree
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Reads and writes that join a write of their block in flight: what is read and what comes to memory is as without it. */
class JoinedAccessesSpec extends AnyFunSuite with Simulation {
  private val words = Bank(localBytes = 1 << 14, blockBytes = 8)
  private def engine(counters: CompilerCounters, bank: Bank = words, reads: Int = 4, writes: Int = 4): Protection =
    Protection(
      ProtectionParams(
        counters = counters,
        cipher = AesParams(extraLatency = 3),
        reads = reads,
        writes = writes,
        postedWrites = true
      ),
      bank
    )
  private val small = CompilerCounters(registers = 2, ids = 8)
  private def random(seed: Int) = new Random(seed)

  for (
    (name, p) <- Seq(
      "four entries of each kind" -> engine(small.copy(ahead = true, lastPairs = 16)),
      "many entries" -> engine(small, reads = 6, writes = 9),
      "one of everything" -> engine(small.copy(registers = 0, pairFetches = 1, updates = 1), reads = 1, writes = 1),
      "a bus of 16 bytes" -> engine(small, Bank(localBytes = 1 << 14, beatBytes = 16, blockBytes = 16))
    )
  )
// covers: memory.joined-accesses
    test(
      s"random accesses to few blocks agree with the model: $name",
      Thorough.unless(name == "one of everything"): _*
    ) {
      simulate(new MemoryProtectionEngine(p)) { dut =>
        val timings = Seq(SteadyMemory(12), new UnsteadyMemory(random(5), 40), new HastyMemory(random(5), 30))
        for ((timing, blocks) <- timings.zip(Seq(1, 2, 3))) withClue(s"$timing: ") {
          resetDesign(dut)
          val s = new SteeringBench(this, dut, random(7), timing)
          s.start()
          val expected = s.agree(1200, blocks, limit = 400000) {
            if (p.takesHints && random(s.bench.cycle).nextInt(4) == 0)
              s.hint(s.bench.cycle % 3, s.bench.cycle / 3 % blocks, s.bench.cycle % 8)
            if (s.bench.cycle % 97 == 0) s.bench.pulseFlush() else s.bench.tick()
          }
          s.bench.flush()
          s.checkMemory(expected.toSeq, s"$timing")
          val (joined, forwarded) =
            (dut.io.statistics.joinedWrites.peek().toInt, dut.io.statistics.forwardedReads.peek().toInt)
          info(s"${s.writes} writes came to memory, $joined joined one, $forwarded reads got their bytes from one")
          assert(joined > 60 && forwarded > 100 && !dut.io.status.alarm.peekBoolean())
        }
      }
    }

  /** Runs with the last block holding `old`, before memory of 30 cycles. */
  private val old = Seq.fill(8)(55.toByte)
  private def withLast(times: Range)(body: (MemoryProtectionEngine, SteeringBench, Int, Int) => Unit): Unit = {
    val p = engine(small)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (time <- times) withClue(s"$time cycles: ") {
        resetDesign(dut)
        val s = new SteeringBench(this, dut, random(1), SteadyMemory(30))
        s.start()
        val last = p.layout.dataBlocks.toInt - 1
        s.fill(last, 55)
        s.idle(60)
        body(dut, s, last, time)
      }
    }
  }
  private def forwarded(dut: MemoryProtectionEngine): BigInt = dut.io.statistics.forwardedReads.peek()

  test("a read of a write in flight has its bytes in the next cycle; a part of it keeps its place in the beat") {
    withLast(2 until 60 by 7) { (dut, s, last, time) =>
      val data = Seq.tabulate(8)(i => (i + 1).toByte)
      s.bench.memory.withheld = _ == last
      s.bench.run(s.write(last, data))
      s.idle(time)
      for ((at, size) <- Seq((0, 3), (6, 1), (7, 0))) {
        val answer = s.bench.run(Transfer(write = false, 8 * last + at, size))
        assert(answer.data == data.slice(at, at + (1 << size)) && answer.beats.head - answer.asked == 1)
      }
      assert(forwarded(dut) == 3)
      s.bench.memory.withheld = _ => false
      s.idle(60)
      assert(s.bench.run(s.read(last)).data == data && forwarded(dut) == 3)
    }
  }

  // covers: memory.key-loss
  test("once the key is gone, a read gets nothing of a write in flight") {
    withLast(0 until 50 by 3) { (dut, s, last, time) =>
      s.bench.run(s.write(last, Seq.fill(8)(7)))
      s.idle(time)
      val asked = (0 until 3).map { _ =>
        val ticket = s.bench.ask(s.read(last))
        s.idle(time % 2)
        ticket
      }
      s.bench.zeroize(KeySlot.dynamic)
      val keyless = s.bench.cycle
      val before = forwarded(dut)
      assert(s.bench.run(s.read(last)).denied)
      assert(forwarded(dut) - before <= 1, "reads join")
      for (answer <- asked.map(s.bench.answers))
        assert(answer.denied || (answer.beats.head < keyless && answer.data == Seq.fill(8)(7.toByte)))
    }
  }

  // covers: memory.poison
  test("poisoned writes join nothing, and nothing joins them: the block is poisoned until it is written whole") {
    withLast(0 until 60 by 4) { (_, s, last, time) =>
      s.bench.run(s.write(last, Seq.fill(8)(7)))
      s.idle(time)
      s.bench.run(s.writeByte(last, Seq.fill(8)(7), 3, 1).copy(poisonedBeat = Some(0)))
      assert(s.bench.run(s.read(last)).denied, "poison is lost")
      val whole = s.write(last, Seq.fill(8)(9))
      s.bench.run(whole.copy(poisonedBeat = Some(0)))
      s.bench.run(s.write(last, Seq.fill(8)(4)))
      assert(s.bench.run(s.read(last)).data == Seq.fill(8)(4.toByte), "a later write is poisoned")
    }
  }

  test("a write behind a read does not change what the read gets") {
    withLast(0 until 60 by 2) { (_, s, last, time) =>
      val first = s.bench.ask(s.writeByte(last, old, 3, 1))
      val read = s.bench.ask(s.read(last))
      s.idle(time)
      val second = s.bench.ask(s.writeByte(last, old.updated(3, 1.toByte), 4, 2))
      s.bench.drain()
      assert(Seq(first, second).forall(!s.bench.answers(_).denied))
      assert(s.bench.answers(read).data == old.updated(3, 1.toByte))
      assert(s.bench.run(s.read(last)).data == old.updated(3, 1.toByte).updated(4, 2.toByte))
    }
  }

  // covers: memory.joined-accesses
  test("nothing joins a write whose tag may have been made") {
    val cache = MetadataCacheParams(lines = 16)
    val bank = Bank(localBytes = 1 << 14, beatBytes = 16, blockBytes = 16)
    val steered = engine(small.copy(expectedPads = 0), bank)
    val p = Protection(steered.params.copy(integrity = HashTree(tags = cache, nodes = cache)), bank)
    simulate(new MemoryProtectionEngine(p)) { dut =>
      for (time <- 0 until 20 by 3) withClue(s"$time cycles: ") {
        resetDesign(dut)
        dut.io.hint.foreach(_.valid.poke(false))
        val bench = new EngineBench(this, dut, SteadyMemory(12))
        bench.start(ProtectionKeys(Array.fill(16)(1), Array.fill(16)(2)))
        for (_ <- 0 until 400) bench.tick()
        for (value <- Seq[Byte](3, 4)) {
          bench.run(Transfer(write = true, 16 * 7, 4, Seq.fill(16)(value)))
          for (_ <- 0 until (if (value == 3) time else 600)) bench.tick()
        }
        val answer = bench.run(Transfer(write = false, 16 * 7, 4))
        assert(!answer.denied && answer.data == Seq.fill(16)(4.toByte) && !dut.io.status.alarm.peekBoolean())
      }
    }
  }

  // covers: memory.steered-pads
  test("a hint of a write that joins another does not repeat a pair") {
    withLast(0 until 40 by 3) { (_, s, last, time) =>
      for (n <- 0 until 6) {
        s.give(CounterHint.store, last, 2)
        s.bench.run(s.write(last, Seq.fill(8)(n.toByte)))
        s.idle(time)
      }
      assert(s.bench.run(s.read(last)).data == Seq.fill(8)(5.toByte))
    }
  }
}
