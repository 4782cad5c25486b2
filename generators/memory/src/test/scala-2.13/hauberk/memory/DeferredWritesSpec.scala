package hauberk.memory

import hauberk.memory.common.Bank
import hauberk.memory.counter.DeferredWrites
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** Writes put aside during the re-encryption of a page alone, beside a map. */
class DeferredWritesSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.bonsaiTree.copy(reads = 3, writes = 5), Bank(localBytes = 1 << 28))
  private val pageBits = p.core.blockIndexBits - 6
  private val random = new Random(54)

  private def put(dut: DeferredWrites, write: Int, block: BigInt): Unit = {
    dut.io.put.valid.poke(true)
    dut.io.put.bits.entry.poke(p.reads + write)
    dut.io.put.bits.block.poke(block)
  }

  // covers: memory.page-turn
  test(
    "a write comes back when no page is active, when its own block is awaited, or when all are called; else it waits"
  ) {
    simulate(new DeferredWrites(p, pageBits)) { dut =>
      dut.io.put.valid.poke(false)
      resetDesign(dut)
      val pages = Seq.fill(3)(BigInt(pageBits, random))
      val aside = mutable.Map.empty[Int, BigInt]
      var (awaited, calls, full) = (0, 0, 0)
      for (cycle <- 0 until 6000) {
        if (cycle % 500 == 499) {
          dut.io.put.valid.poke(false)
          resetDesign(dut)
          aside.clear()
        }
        val active = random.nextInt(16) != 0
        val all = random.nextInt(30) == 0
        val page = pages(random.nextInt(3))
        val isDone = if (random.nextInt(3) == 0) BigInt(64, random) else (BigInt(1) << 64) - 1
        val free = (0 until p.writes).filterNot(aside.contains)
        val puts = free.nonEmpty && random.nextInt(2) == 0
        val write = if (puts) free(random.nextInt(free.size)) else random.nextInt(p.writes)
        val block = (pages(random.nextInt(3)) << 6) + random.nextInt(64)
        put(dut, write, block)
        dut.io.put.valid.poke(puts)
        dut.io.active.poke(active)
        dut.io.all.poke(all)
        dut.io.line.poke(page)
        dut.io.isDone.poke(isDone)
        val takes = random.nextInt(3) != 0
        dut.io.again.ready.poke(takes)

        def isAwaited(block: BigInt) = block >> 6 == page && !isDone.testBit((block & 63).toInt)
        val may = aside.filter { case (_, block) => !active || all || isAwaited(block) }
        dut.io.again.valid.expect(may.nonEmpty)
        dut.io.busy.expect(aside.nonEmpty)
        if (aside.size == p.writes) full += 1
        var back = Option.empty[Int]
        if (may.nonEmpty) {
          val returned = dut.io.again.bits.entry.peek().toInt - p.reads
          assert(may.contains(returned), s"the write $returned comes back early, or twice")
          dut.io.again.bits.block.expect(aside(returned))
          if (takes) back = Some(returned)
          if (active && all) calls += 1 else if (active) awaited += 1
        }
        step()
        back.foreach(aside -= _)
        if (puts) aside(write) = block
      }
      assert(awaited > 100 && calls > 20 && full > 20, s"$awaited awaited, $calls called, full for $full cycles")
    }
  }

  test("every bit of a page's number is compared, and each block of it is told apart") {
    simulate(new DeferredWrites(p, pageBits)) { dut =>
      for (write <- 0 until p.writes) withClue(s"write $write: ") {
        dut.io.put.valid.poke(false)
        resetDesign(dut)
        val block = BigInt(p.core.blockIndexBits, random)
        put(dut, write, block)
        dut.io.again.ready.poke(false)
        step()
        dut.io.put.valid.poke(false)
        dut.io.isDone.poke((BigInt(1) << 64) - 1)
        dut.io.active.poke(true)
        dut.io.again.valid.expect(false)
        dut.io.active.poke(false)
        dut.io.again.valid.expect(true)
        dut.io.active.poke(true)
        dut.io.line.poke(block >> 6)
        dut.io.isDone.poke(0)
        dut.io.again.valid.expect(true)
        for (bit <- 0 until pageBits) withClue(s"bit $bit: ") {
          dut.io.line.poke((block >> 6).flipBit(bit))
          dut.io.again.valid.expect(false)
        }
        dut.io.line.poke(block >> 6)
        val all = (BigInt(1) << 64) - 1
        for (word <- 0 until 64) {
          dut.io.isDone.poke(all.clearBit(word))
          dut.io.again.valid.expect((block & 63) == word)
        }
      }
    }
  }
}
