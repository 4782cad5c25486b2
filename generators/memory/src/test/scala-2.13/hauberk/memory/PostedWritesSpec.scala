package hauberk.memory

import hauberk.memory.common.{AlarmCause, Bank, KeySlot}
import hauberk.memory.counter.Timestamps
import hauberk.memory.layout.TreeLeaves
import hauberk.testing.{Simulation, Thorough}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** Posted writes: what is acknowledged before memory has it is as if memory had it, and whatever then goes wrong halts the engine. */
class PostedWritesSpec extends AnyFunSuite with Simulation {
  private val bank = Bank(localBytes = 1 << 16, idBits = 4, engine = 3)
  private def posted(name: String): Protection =
    Protection(SmallCaches(ProtectionParams.presets(name)).copy(postedWrites = true), bank)
  private def scheme(dut: MemoryProtectionEngine, timing: MemoryTiming = SteadyMemory(20)): SchemeBench = {
    resetDesign(dut)
    val scheme = new SchemeBench(this, dut, timing, seed = 7, imageBlocks = 100)
    scheme.start()
    scheme
  }
  private def write(scheme: SchemeBench, block: Int): Transfer =
    Transfer(write = true, 64 * block, 6, Transfer.randomBytes(scheme.random, 64))
  private def run(bench: EngineBench, cycles: Int): Unit = for (_ <- 0 until cycles) bench.tick()

  /** Nothing comes to memory after a flush, and another flush finds nothing. A read changes a log after its answer, so a log is quiet before. */
  private def checkFlushed(plain: SchemeBench): Unit = {
    val bench = plain.bench
    val writes = bench.memory.writes
    run(bench, 150)
    plain.flush()
    run(bench, 20)
    assert(bench.memory.writes == writes, "memory is written after a flush")
  }

  for (
    name <- Seq(
      "AegisOtp",
      "Xom",
      "Xts",
      "BonsaiTree",
      "BonsaiTreeBlocking",
      "AegisHashTree",
      "AegisLogHash",
      "YangSncNoReplacement"
    )
  )
// covers: memory.posted-writes
    test(
      s"$name: the client sees a plain memory, and a flush leaves all of it in memory",
      Thorough.unless(Set("AegisOtp", "BonsaiTree")(name)): _*
    ) {
      simulate(new MemoryProtectionEngine(posted(name))) { dut =>
        for (timing <- Seq(SteadyMemory(20), new HastyMemory(new Random(5), 60))) withClue(s"$timing: ") {
          val plain = scheme(dut, timing)
          val all = plain.plain.indices.toVector
          plain.traffic(120, all.take(24), flushes = true)
          plain.traffic(160, plain.random.shuffle(all).take(200))
          for (_ <- 0 until 20) {
            plain.traffic(6, plain.random.shuffle(all).take(6))
            if (plain.p.takesOldValues) run(plain.bench, 300)
            plain.flush()
            checkFlushed(plain)
          }
        }
      }
    }

  for (name <- Seq("AegisOtp", "BonsaiTree", "BonsaiTreeBlocking"))
// covers: memory.posted-writes
    test(
      s"$name: writes are answered before memory has them; reads of their blocks and flushes wait",
      Thorough.unless(name != "BonsaiTreeBlocking"): _*
    ) {
      val p = posted(name)
      simulate(new MemoryProtectionEngine(p)) { dut =>
        val plain = scheme(dut)
        val bench = plain.bench
        val last = p.layout.dataBlocks.toInt - 1
        for (block <- Seq(0, last)) {
          bench.memory.withheld = _ == block
          val answered = plain.ask(write(plain, block))
          bench.drain(400)
          answered()
          val read = plain.ask(Transfer(write = false, 64 * block, 6))
          bench.pulseFlush()
          run(bench, 400)
          assert(!bench.idle, "a read passes a write of its block")
          assert(dut.io.status.flushing.peekBoolean(), "a flush ends before the write that was acknowledged before it")
          bench.memory.withheld = _ => false
          bench.drain(2000)
          read()
          while (dut.io.status.flushing.peekBoolean()) bench.tick()
          checkFlushed(plain)
          assert(!plain.alarmed)
        }
      }
    }

  for (name <- Seq("AegisOtp", "BonsaiTree"))
    // covers: memory.refusals
    test(s"$name: memory that refuses an acknowledged write halts the engine, with the block's address") {
      val p = posted(name)
      simulate(new MemoryProtectionEngine(p)) { dut =>
        for (block <- Seq(5, p.layout.dataBlocks.toInt - 1)) {
          val plain = scheme(dut)
          plain.bench.memory.refused += block
          assert(!plain.bench.run(write(plain, block)).denied, "it is not posted")
          run(plain.bench, 200)
          assert(dut.io.status.halted.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.metadataError)
          assert(dut.io.status.address.peek() == 64 * block)
          assert(plain.bench.run(Transfer(write = false, 64 * 9, 6)).denied)
        }
      }
    }

  // covers: memory.key-loss
  test("a key that is lost before an acknowledged write is in memory halts the engine; otherwise writes are denied") {
    simulate(new MemoryProtectionEngine(posted("AegisOtp"))) { dut =>
      for (wait <- 0 until 60) withClue(s"$wait cycles after the request: ") {
        val plain = scheme(dut)
        val bench = plain.bench
        bench.run(write(plain, 8))
        bench.flush()
        var inMemory = false
        bench.onBlockWritten = (block, _) => if (block == 7) inMemory = true
        val ticket = bench.ask(write(plain, 7))
        run(bench, wait)
        bench.memory.withheld = _ == 7
        bench.zeroize(KeySlot.dynamic)
        run(bench, 3)
        val acknowledged = bench.answers.get(ticket).exists(!_.denied)
        val halted = dut.io.status.halted.peekBoolean()
        bench.memory.withheld = _ => false
        bench.loadKey(KeySlot.dynamic, Array.fill(16)(9))
        bench.drain(2000)
        if (halted) assert(acknowledged && dut.io.status.address.peek() == 64 * 7)
        else assert(bench.answers(ticket).denied || inMemory, "an acknowledged write is lost")
      }
    }
  }

  for (name <- Seq("AegisOtp", "Xom", "BonsaiTree", "AegisHashTree"))
    test(
      s"$name: it is the write's own key that counts, also when another one is usable",
      Thorough.unless(name == "AegisHashTree"): _*
    ) {
      val p = posted(name)
      simulate(new MemoryProtectionEngine(p)) { dut =>
        var halts = 0
        for (wait <- 0 until 60 by 4) withClue(s"$wait cycles after the request: ") {
          val plain = scheme(dut)
          val bench = plain.bench
          bench.run(write(plain, 8))
          bench.flush()
          bench.loadKey(KeySlot.spare, Array.fill(16)(5))
          bench.memory.withheld = _ == 7
          val ticket = bench.ask(write(plain, 7))
          run(bench, wait)
          if (wait % 8 < 4) bench.pulseFlush()
          bench.zeroize(KeySlot.dynamic)
          run(bench, 3)
          val acknowledged = bench.answers.get(ticket).exists(!_.denied)
          if (dut.io.status.halted.peekBoolean()) {
            halts += 1
            assert(acknowledged && dut.io.status.cause.peek() == AlarmCause.metadataError)
            assert(dut.io.status.address.peek() == 64 * 7)
            bench.memory.withheld = _ => false
            // Lines of a tree cannot be written back without its key
            if (p.layout.shape.leaves == TreeLeaves.None) bench.flush()
          } else assert(!acknowledged, "an acknowledged write is lost")
        }
        assert(halts > 5, "no key was lost after an answer")
      }
    }

  test("a halt replaces the cause and the address of an alarm that did not halt") {
    val p = posted("AegisOtp")
    simulate(new MemoryProtectionEngine(p)) { dut =>
      val plain = scheme(dut)
      val metadata = p.layout.counterBase
      assert(plain.bench.run(Transfer(write = false, metadata.toInt, 6)).denied)
      assert(plain.alarmed && !dut.io.status.halted.peekBoolean() && dut.io.status.address.peek() == metadata)
      plain.bench.memory.refused += 5
      plain.bench.run(write(plain, 5))
      run(plain.bench, 200)
      assert(dut.io.status.halted.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.metadataError)
      assert(dut.io.status.address.peek() == 64 * 5)
      assert(plain.bench.run(Transfer(write = false, metadata.toInt, 6)).denied)
      assert(dut.io.status.address.peek() == 64 * 5, "what comes after the halt replaces it")
    }
  }

  for (name <- Seq("AegisOtp", "BonsaiTree"))
    test(s"$name: a write that gets no counter is denied, and not acknowledged before") {
      val p = posted(name)
      simulate(new MemoryProtectionEngine(p)) { dut =>
        // The counter line is missing, so that the write is whole long before memory refuses the line
        val plain = scheme(dut, SteadyMemory(100))
        val block = p.layout.dataBlocks.toInt - 1
        plain.bench.memory.refused += (p.layout.counterLineAddress(p.layout.counterLines.toInt - 1) / 64).toInt
        assert(plain.bench.run(write(plain, block)).denied)
        assert(dut.io.status.halted.peekBoolean() && dut.io.status.cause.peek() == AlarmCause.metadataError)
      }
    }

  test("a re-encryption does not end before all of it is in memory") {
    val p = posted("AegisOtp").copy(bank = bank.copy(localBytes = 1 << 14))
    val rekeyed = p.copy(params = p.params.copy(counters = Timestamps(timestampBits = 8, reserve = Some(120))))
    simulate(new MemoryProtectionEngine(rekeyed)) { dut =>
      for (block <- Seq(0, 77, p.layout.dataBlocks.toInt - 1)) withClue(s"block $block: ") {
        val plain = scheme(dut)
        val bench = plain.bench
        plain.ask(write(plain, block))
        bench.drain()
        while (!dut.io.keyWanted.valid.peekBoolean()) plain.traffic(10, Seq(1, 2, 3, block))
        bench.flush()
        bench.memory.withheld = _ == block
        bench.loadKey(dut.io.keyWanted.bits.peek().toInt, Array.fill(16)(9))
        run(bench, 15000)
        assert(bench.memory.withholds, "the re-encryption did not come so far")
        assert(dut.io.status.rekeying.peekBoolean(), "the re-encryption ends while a block is on its way")
        bench.memory.withheld = _ => false
        run(bench, 15000)
        assert(!dut.io.status.rekeying.peekBoolean() && !plain.alarmed)
        plain.traffic(40, plain.plain.indices.toVector)
      }
    }
  }
}
