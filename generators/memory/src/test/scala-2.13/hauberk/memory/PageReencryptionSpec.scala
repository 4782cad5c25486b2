package hauberk.memory

import chisel3.util.log2Ceil
import hauberk.memory.common.Bank
import hauberk.memory.counter.{DeferredWrites, HeldResults, PageReencryption}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

/** What split counters remember of writes and of the page that is re-encrypted, each part beside a model, with any of its events in one cycle. */
class PageReencryptionSpec extends AnyFunSuite with Simulation {
  private val p = Protection(ProtectionParams.bonsaiTree, Bank(localBytes = 15 * 64 * 64))
  private val pages = p.layout.counterLines.toInt
  private val blocks = p.layout.dataBlocks.toInt
  private val lineBits = log2Ceil(pages)
  private val all = (BigInt(1) << 64) - 1

  // covers: memory.page-turn
  test(
    "each block of a page that exists is asked for once, or written first, and the page ends when all have come back"
  ) {
    assert(blocks % 64 != 0, "the last page is whole")
    simulate(new PageReencryption(p, lineBits)) { dut =>
      val random = new Random(58)
      resetDesign(dut)
      var page = Option.empty[Int]
      var done = BigInt(0)
      val waiting = mutable.Map.empty[Int, Int] // words by slot
      var ended, stuck, most, late = 0
      for (cycle <- 0 until 6000) {
        val starts = page.isEmpty && random.nextInt(4) == 0
        val started = if (random.nextInt(3) == 0) pages - 1 else random.nextInt(pages)
        val here = if (starts) started else page.getOrElse(0)
        val word = random.nextInt(math.min(64, blocks - 64 * here))
        val marks = starts || page.nonEmpty && random.nextInt(6) == 0
        val takes = random.nextInt(3) != 0
        val back = if (random.nextInt(3) == 0) waiting.keys.toSeq.sorted.lift(random.nextInt(p.reencryptions)) else None
        // Mostly, a block comes back written
        val fails = back.nonEmpty && random.nextInt(20) == 0
        val comesBack = back.filter(slot => fails || done.testBit(waiting(slot)))
        dut.io.start.valid.poke(starts)
        dut.io.start.bits.poke(started)
        val marked = back.filter(slot => !fails && !done.testBit(waiting(slot))).map(waiting)
        val markedWord = marked.getOrElse(word)
        val isMarked = marked.nonEmpty || marks
        dut.io.done.valid.poke(isMarked)
        dut.io.done.bits.poke(markedWord)
        dut.io.reencrypt.ready.poke(takes)
        dut.io.reencrypted.valid.poke(comesBack.nonEmpty)
        for (slot <- comesBack) dut.io.reencrypted.bits.poke(slot)

        dut.io.active.expect(page.nonEmpty)
        if (page.nonEmpty) {
          dut.io.line.expect(page.get)
          dut.io.isDone.expect(done)
        }
        val left = page.toSeq.flatMap(_ => (0 until 64).filter(i => !done.testBit(i) && !waiting.values.exists(_ == i)))
        val asks = left.nonEmpty && waiting.size < p.reencryptions
        dut.io.reencrypt.valid.expect(asks)
        val slot = (0 until p.reencryptions).find(!waiting.contains(_)).getOrElse(0)
        if (asks) {
          dut.io.reencrypt.bits.block.expect(64 * page.get + left.head)
          dut.io.reencrypt.bits.slot.expect(slot)
        }
        val isStuck = comesBack.exists(slot => !done.testBit(waiting(slot)))
        dut.io.stuck.expect(isStuck)
        if (isStuck) stuck += 1
        if (page.nonEmpty && done == all && waiting.nonEmpty) late += 1
        step()

        val isOver = page.nonEmpty && done == all && waiting.isEmpty
        for (slot <- comesBack) waiting -= slot
        if (asks && takes) waiting(slot) = left.head
        most = most.max(waiting.size)
        if (starts) {
          page = Some(started)
          done = if (started == pages - 1) all - ((BigInt(1) << (blocks % 64)) - 1) else 0
        } else if (isOver) {
          page = None
          ended += 1
        }
        if (isMarked) done = done.setBit(markedWord)
      }
      assert(
        ended > 20 && stuck > 10 && late > 10 && most == p.reencryptions,
        s"$ended pages, $stuck stuck, $late late"
      )
    }
  }

  // covers: memory.verified-counters
  test("a held counter comes when all verdicts that were due with it have been, whatever is due later") {
    val fetches = 4
    simulate(new HeldResults(p, fetches)) { dut =>
      val random = new Random(4)
      resetDesign(dut)
      val held = mutable.Map.empty[Int, (BigInt, Int)] // counter and verdicts, by write
      var given, blocked = 0
      for (cycle <- 0 until 4000) {
        val pending = if (random.nextInt(3) == 0) 0 else random.nextInt(1 << fetches)
        dut.io.pending.poke(pending)
        val free = (0 until p.writes).filterNot(held.contains)
        val put = if (free.nonEmpty && random.nextInt(3) == 0) Some(free(random.nextInt(free.size))) else None
        val counter = BigInt(p.counterBits, random)
        dut.io.put.valid.poke(put.nonEmpty)
        dut.io.put.bits.entry.poke(p.reads + put.getOrElse(0))
        dut.io.put.bits.counter.poke(counter)
        val takes = random.nextBoolean()
        dut.io.result.ready.poke(takes)
        dut.io.busy.expect(held.nonEmpty)
        val ripe = held.collect { case (write, (_, 0)) => write }
        dut.io.result.valid.expect(ripe.nonEmpty)
        if (ripe.nonEmpty) {
          dut.io.result.bits.entry.expect(p.reads + ripe.min)
          dut.io.result.bits.counter.expect(held(ripe.min)._1)
        }
        if (held.size > ripe.size) blocked += 1
        step()
        for ((write, (counter, waits)) <- held.toSeq) held(write) = (counter, waits & pending)
        if (takes && ripe.nonEmpty) {
          held -= ripe.min
          given += 1
        }
        for (write <- put) held(write) = (counter, pending)
      }
      assert(given > 500 && blocked > 500)
    }
  }

  // covers: memory.page-turn
  test("a write that was put aside comes back when no page is under way, or the page waits for its very block") {
    simulate(new DeferredWrites(p, lineBits)) { dut =>
      val random = new Random(8)
      resetDesign(dut)
      val aside = mutable.Map.empty[Int, Int] // blocks by write
      var active = false
      var (line, done) = (0, BigInt(0))
      var awaited, others = 0
      for (cycle <- 0 until 4000) {
        if (random.nextInt(20) == 0) active = !active
        if (random.nextInt(10) == 0) line = random.nextInt(pages)
        done = BigInt(64, random) | BigInt(64, random)
        val gives = random.nextInt(40) == 0
        dut.io.active.poke(active)
        dut.io.line.poke(line)
        dut.io.isDone.poke(done)
        dut.io.all.poke(gives)
        val free = (0 until p.writes).filterNot(aside.contains)
        val put = if (free.nonEmpty && random.nextInt(3) == 0) Some(free(random.nextInt(free.size))) else None
        val block = random.nextInt(blocks)
        dut.io.put.valid.poke(put.nonEmpty)
        dut.io.put.bits.entry.poke(p.reads + put.getOrElse(0))
        dut.io.put.bits.block.poke(block)
        val takes = random.nextInt(3) == 0
        dut.io.again.ready.poke(takes)
        dut.io.busy.expect(aside.nonEmpty)
        val may = aside.collect {
          case (write, block) if !active || gives || block / 64 == line && !done.testBit(block % 64) => write
        }
        dut.io.again.valid.expect(may.nonEmpty)
        if (may.nonEmpty) {
          dut.io.again.bits.entry.expect(p.reads + may.min)
          dut.io.again.bits.block.expect(aside(may.min))
          if (active && !gives) awaited += 1 else others += 1
        }
        step()
        if (takes && may.nonEmpty) aside -= may.min
        for (write <- put) aside(write) = block
      }
      assert(awaited > 100 && others > 100)
    }
  }
}
