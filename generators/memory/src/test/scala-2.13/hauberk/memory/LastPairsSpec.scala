package hauberk.memory

import chisel3._
import hauberk.crypto.AesParams
import hauberk.memory.common.Bank
import hauberk.memory.counter.{CompilerCounters, CounterHint, LastPairs}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** The table that predicts pairs of reads without a hint, by itself and in an engine. */
class LastPairsSpec extends AnyFunSuite with Simulation {

  /** Waits until it is cleared; meanwhile it predicts nothing of these blocks. */
  private def cleared(dut: LastPairs, blocks: Seq[Int] = Nil): Unit = {
    resetDesign(dut)
    dut.io.written.valid.poke(false)
    dut.io.read.valid.poke(false)
    var cycles = 0
    while (dut.io.busy.peekBoolean()) {
      for (block <- blocks) assert(predicted(dut, block) == 0, "predicts while it is being cleared")
      step()
      cycles += 1
      assert(cycles <= 4096)
    }
  }
  private type Happened = Option[(Int, BigInt)]
  private def happen(dut: LastPairs, written: Happened = None, read: Happened = None): Unit = {
    val ports = Seq(dut.io.written -> written, dut.io.read -> read)
    for ((port, happened) <- ports) {
      port.valid.poke(happened.nonEmpty)
      for ((block, pair) <- happened) {
        port.bits.block.poke(block)
        port.bits.pair.poke(pair)
      }
    }
    step()
    for ((port, _) <- ports) port.valid.poke(false)
  }
  private def write(dut: LastPairs, block: Int, pair: BigInt): Unit = happen(dut, written = Some(block -> pair))
  private def predicted(dut: LastPairs, block: Int): BigInt = {
    dut.io.block.poke(block)
    dut.io.pair.peek()
  }

  for ((entries, blockBits) <- Seq((16, 20), (64, 10), (2, 3), (8, 3), (128, 12)))
    test(s"predicts the last pair at a place, or none: $entries entries, $blockBits bits of block") {
      simulate(new LastPairs(entries, blockBits)) { dut =>
        val random = new Random(3)
        val blocks = 1 << blockBits
        val placeBits = Integer.numberOfTrailingZeros(entries)
        def place(block: Int) = (0 until blockBits by placeBits).map(block >> _ & (entries - 1)).reduce(_ ^ _)
        def tag(block: Int) = block >> placeBits & ((1 << LastPairs.tagBits) - 1)
        for (_ <- 0 until 2) {
          cleared(dut, Seq(0, 1, blocks - 1))
          for (block <- Seq(0, 1, blocks - 1)) assert(predicted(dut, block) == 0, "left over from before reset")
          val last = mutable.Map.empty[Int, (Int, BigInt)]
          for (_ <- 0 until 3000) {
            val block = random.nextInt(4) match {
              case 0 => random.nextInt(blocks)
              case 1 => blocks - 1 - random.nextInt(math.min(blocks, 3))
              case _ => random.nextInt(math.min(blocks, 2 * entries))
            }
            def happened(other: Int): Happened = {
              val pair = if (random.nextInt(4) == 0) BigInt(0) else BigInt(32, random)
              if (random.nextBoolean()) Some((if (other == 0) block else random.nextInt(blocks)) -> pair) else None
            }
            if (random.nextBoolean()) {
              val (written, read) = (happened(0), happened(random.nextInt(2)))
              happen(dut, written, read)
              for ((b, pair) <- written.orElse(read.filter(_._2 != 0))) last(place(b)) = (tag(b), pair)
            } else {
              val expected = last.get(place(block)).collect { case (t, pair) if t == tag(block) => pair }
              assert(predicted(dut, block) == expected.getOrElse(BigInt(0)), s"block $block")
            }
          }
          for (block <- Seq(0, 1, blocks - 1)) write(dut, block, 5)
        }
      }
    }

  test("as many neighbours as there are places are all known, wherever they are") {
    simulate(new LastPairs(32, 16)) { dut =>
      cleared(dut)
      for (first <- Seq(0, 5, 1000, 1024, 65536 - 32)) {
        val aligned = first / 32 * 32
        for (i <- 0 until 32) write(dut, aligned + i, 7000 + aligned + i)
        for (i <- 0 until 32) assert(predicted(dut, aligned + i) == 7000 + aligned + i)
      }
    }
  }

  private def engine(counters: CompilerCounters) =
    Protection(
      ProtectionParams(counters = counters, cipher = AesParams(extraLatency = 4), reads = 4, writes = 4),
      Bank(localBytes = 1 << 14, blockBytes = 8)
    )

  for (registers <- Seq(0, 8))
    test(s"a read without a hint has the pad ahead if its block was the last at its place: $registers registers") {
      simulate(new MemoryProtectionEngine(engine(CompilerCounters(registers, 8, lastPairs = 16)))) { dut =>
        val s = new SteeringBench(this, dut, new Random(1), SteadyMemory(16))
        s.start()
        def written(block: Int): Unit = s.fill(block, block)
        def latency(block: Int): Int = {
          val cycles = s.latency(block, block)
          s.idle(60)
          cycles
        }
        for (block <- 1 to 8) written(block)
        val right = (1 to 8).map(latency)
        assert(dut.io.statistics.rightPads.peek() == 8 && dut.io.statistics.wrongPads.peek() == 0)
        written(0x14) // 1 ^ 4 is the place of 5
        val others = (1 to 8).filter(latency(_) > right.max + 8)
        info(s"right ${right.max} cycles; another block took the place of ${others.mkString(", ")}")
        assert(others == Seq(5))
        // That read took the place back, and a block of the image takes none
        assert(latency(5) <= right.max && s.latency(0x14, 0x14) > right.max + 8)
        s.bench.run(s.read(0x41))
        assert(s.latency(0x14, 0x14) <= right.max)
        if (registers > 0) {
          // A hinted write is remembered, too, and a hint goes before the table
          s.give(CounterHint.store, 3, 2)
          written(3)
          assert(s.pairOf(3) == (BigInt(2) << 24) + 1)
          assert(latency(3) <= right.max)
          written(3)
          s.give(CounterHint.load, 3, 4)
          assert(latency(3) > right.max + 8, "a wrong hint goes before the table")
        }
      }
    }

  test("a read and the hint of a later one both have their pads, whenever the hint comes") {
    simulate(new MemoryProtectionEngine(engine(CompilerCounters(lastPairs = 16, ahead = true)))) { dut =>
      for (delay <- 0 until 12) {
        resetDesign(dut)
        val s = new SteeringBench(this, dut, new Random(1), SteadyMemory(12))
        s.start()
        for (block <- Seq(3, 7)) {
          if (block == 7) s.give(CounterHint.store, block, 2)
          s.fill(block, block)
        }
        val first = s.bench.ask(s.read(3))
        s.idle(delay)
        s.give(CounterHint.load, 7, 2)
        s.bench.drain()
        assert(s.bench.answers(first).data == Seq.fill(8)(3.toByte))
        s.idle(30)
        assert(s.latency(7, 7) == 12 + 1, s"a hint $delay cycles behind a read is lost")
        assert(dut.io.statistics.wrongPads.peek() == 0, s"a hint $delay cycles behind a read")
      }
    }
  }

  test("a pad that is begun with the look-up is a cycle later than one that was hinted, before memory of 12 cycles") {
    simulate(new MemoryProtectionEngine(engine(CompilerCounters(lastPairs = 16, ahead = true)))) { dut =>
      val s = new SteeringBench(this, dut, new Random(1), SteadyMemory(12))
      s.start()
      val hinted = s.latency(7, 7, store = Some(2), load = Some(2))
      val known = s.latency(8, 8, store = None, load = None)
      val wrong = s.latency(9, 9, store = Some(2), load = Some(3))
      info(s"hinted $hinted cycles, known $known, wrong $wrong")
      assert(hinted == 12 + 1 && known == hinted + 1 && wrong == hinted + 13)
    }
  }
}
