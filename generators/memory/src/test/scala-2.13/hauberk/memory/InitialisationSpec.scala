package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot, MetadataCacheParams}
import hauberk.memory.counter.Timestamps
import hauberk.memory.reference.ProtectionKeys
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Whole engines whose counters nothing guards: memory holds noise at reset, the client sees a plain memory from the first possible cycle on,
  * and every counter line is zeroed once, before its first use.
  */
class InitialisationSpec extends AnyFunSuite with Simulation {
  private val schemes = ProtectionParams.presets.toSeq.sortBy(_._1).filter { case (_, params) =>
    params.counters.needsInitialisation(params.integrity.guardsCounters)
  }
  test("the schemes whose counters nothing guards") {
    val names = "AegisHashTree, AegisLogHash, AegisOtp, BlockMac, Xom, YangSncLru, YangSncNoReplacement"
    assert(schemes.map(_._1).mkString(", ") == names)
  }

  /** Metadata writes that memory took: zero writes, and write-backs, which hold something. */
  private def metadataWrites(p: Protection, bench: EngineBench) = {
    val bursts = bench.memory.written.filter(_._1 >= p.layout.counterBase.toInt).grouped(p.memory.blockBeats).toSeq
    bursts.partition(_.forall(_._2 == 0))
  }

  /** How often zeros were written to each counter line. */
  private def zeroings(p: Protection, bench: EngineBench): Map[Int, Int] =
    metadataWrites(p, bench)._1.groupBy(burst => (burst.head._1 - p.layout.counterBase.toInt) / 64).map {
      case (line, all) => line -> all.size
    }

  for ((name, params) <- schemes)
    // covers: memory.first-touch
    test(s"$name: every counter line is zeroed once, whatever moves meanwhile") {
      val p = Protection(SmallCaches(params), Bank(localBytes = 1 << 16, idBits = 4, engine = 2))
      simulate(new MemoryProtectionEngine(p)) { dut =>
        for {
          (timing, flushes) <- Seq[(MemoryTiming, Boolean)](
            (SteadyMemory(20), false),
            (new HastyMemory(new Random(5), 40), true),
            (new UnsteadyMemory(new Random(6), 60), false)
          )
        } withClue(s"$timing: ") {
          resetDesign(dut)
          val scheme = new SchemeBench(this, dut, timing, seed = 11, imageBlocks = 50)
          val bench = scheme.bench
          scheme.start()
          val all = scheme.plain.indices.toVector
          scheme.traffic(100, scheme.random.shuffle(all).take(300), flushes)
          scheme.traffic(60, Seq(0, 1, all.last - 1, all.last), flushes)
          // Neither a flush nor another key brings counters back to 0
          scheme.flush()
          for (line <- 0 until p.layout.counterLines.toInt)
            assert(zeroings(p, bench).get(line).contains(1), s"line $line")
          val before = zeroings(p, bench)
          bench.zeroize(KeySlot.static)
          for (_ <- 0 until 20) bench.tick()
          bench.loadKey(KeySlot.static, scheme.keys.static)
          for (_ <- 0 until 100) bench.tick()
          bench.arm()
          scheme.traffic(80, scheme.random.shuffle(all).take(100), flushes = true)
          scheme.flush()
          assert(zeroings(p, bench) == before, "a line is zeroed again")
          assert(dut.io.statistics.metadataWrites.peek() == metadataWrites(p, bench)._2.size)
        }
      }
    }

  // Groups of two lines, the last of which is short
  private val grouped = Protection(
    ProtectionParams(counters = Timestamps(64, MetadataCacheParams(4, 2, 2)), reads = 4, writes = 4),
    Bank(localBytes = 64 * 64 * 263, idBits = 4)
  )
  private val lines = grouped.layout.counterLines.toInt
  private def read(line: Int) = Transfer(write = false, 64 * 8 * line, 6)
  private def write(line: Int) = Transfer(write = true, 64 * 8 * line, 6, Seq.fill(64)(line.toByte))

  /** Answers of different blocks do not wait for each other. */
  private object AnyOrder extends SteadyMemory(20) { override val inOrder = false }

  test("armed in the first possible cycle; data go on while zeros are written") {
    assert(lines > 1024 && lines % 2 == 1)
    simulate(new MemoryProtectionEngine(grouped)) { dut =>
      for (second <- Seq(false, true)) {
        resetDesign(dut)
        val bench = new EngineBench(this, dut, AnyOrder)
        val random = new Random(3)
        bench.memory.unset = _ => Transfer.randomBytes(random, 64).toArray
        bench.quiet()
        bench.loadKeys(ProtectionKeys(Array.fill(16)(3), Array.fill(16)(5)))
        dut.io.control.arm.poke(true)
        while (!dut.io.status.armed.peekBoolean()) bench.tick()
        dut.io.control.arm.poke(false)
        assert(bench.cycle <= 40, "keys and bits take few cycles")
        for (line <- Seq(lines - 1, 2, 3)) {
          assert(!bench.run(write(line)).denied)
          assert(bench.run(read(line)).data == write(line).data)
        }
        // Another group's zeros are not acknowledged: what needs no counter of it does not wait
        val late = (grouped.layout.counterBase / 64).toInt + 11
        bench.memory.withheld = _ == late
        val held = Seq(read(10), write(11)).map(bench.ask)
        val others = (0 until 20).map(i => bench.ask(if (i % 2 == 0) read(2) else write(3)))
        for (_ <- 0 until 900) bench.tick()
        assert(held.forall(!bench.answers.contains(_)), "an access overtook its zeros")
        assert(others.forall(bench.answers.contains), "accesses that need no zeros wait")
        bench.memory.withheld = _ => false
        bench.drain()
        assert((held ++ others).forall(!bench.answers(_).denied))
        assert(bench.run(read(11)).data == write(11).data)
        // The last line, written back and fetched again
        for (line <- 12 until 20) assert(!bench.run(read(line)).denied)
        assert(bench.run(read(lines - 1)).data == write(lines - 1).data)
        bench.flush()
        val zeroed = zeroings(grouped, bench)
        for (line <- 0 until lines) assert(zeroed.get(line).contains(1), s"line $line, after reset $second")
      }
    }
  }

  test("data wait for no more than one zero write at a time") {
    val p = Protection(ProtectionParams(reads = 4, writes = 4), Bank(localBytes = 1 << 24))
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val latency = 20
      val bench = new EngineBench(this, dut, SteadyMemory(latency))
      bench.start(ProtectionKeys(Array.fill(16)(3), Array.fill(16)(5)))
      assert(!bench.run(Transfer(write = false, 0, 6)).denied)
      val first = bench.ask(Transfer(write = false, 1 << 20, 6))
      for (_ <- 0 until 20) bench.tick()
      val hits = for (_ <- 0 until 4) yield {
        val hit = bench.ask(Transfer(write = false, 0, 6))
        for (_ <- 0 until 30) bench.tick()
        hit
      }
      assert(!bench.answers.contains(first), "the zeros are written too soon to show anything")
      bench.drain()
      val waits = hits.map(bench.answers(_)).map(answer => answer.beats.head - answer.asked - latency)
      info(s"reads wait for ${waits.mkString(", ")} cycles")
      assert(waits.max <= p.memory.blockBeats)
    }
  }

  test("a stream of data and the zeros of a flush share memory, and neither waits for the other's end") {
    simulate(new MemoryProtectionEngine(grouped)) { dut =>
      val bench = new EngineBench(this, dut, SteadyMemory(20))
      bench.start(ProtectionKeys(Array.fill(16)(3), Array.fill(16)(5)))
      assert(!bench.run(write(0)).denied)
      bench.pulseFlush()
      val stream = (0 until 300).map(_ => bench.ask(read(0)))
      val start = bench.cycle
      bench.drain()
      assert(stream.forall(!bench.answers(_).denied))
      assert(dut.io.status.flushing.peekBoolean(), "the stream waited for the flush")
      info(s"a read takes ${(bench.cycle - start) / 300} cycles during a flush")
      while (dut.io.status.flushing.peekBoolean()) {
        assert(bench.cycle - start < lines * 40, "the flush waits for the stream's end")
        if (bench.idle) (0 until 8).foreach(_ => bench.ask(read(0)))
        bench.tick()
      }
    }
  }
}
