package hauberk.contexts

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

class PageClearerSpec extends AnyFunSuite with Simulation {
  private val pageNumberBits = 5
  private val lastPage = (1 << pageNumberBits) - 1

  /** Memory that takes a beat in some cycles, and answers for a line some cycles after any of its beats. */
  private class Memory(dut: PageClearer, random: Random, latency: => Int, gaps: Boolean, fails: Int = -1) {
    private var owed = Map.empty[Int, (Int, Int)]
    private var begun = Option.empty[(Int, Int, Int)]
    var lines = Seq.empty[Int]
    var most = 0

    def cycle(): Unit = {
      val ready = owed.collect { case (slot, (0, line)) => slot -> line }.toSeq.sortBy(_._1)
      val chosen =
        if (ready.nonEmpty && !(gaps && random.nextBoolean())) Some(ready(random.nextInt(ready.size))) else None
      dut.io.written.valid.poke(chosen.isDefined)
      // While valid is low, the slot is random and the failure high
      val (slot, line) = chosen.getOrElse((random.nextInt(PageClearer.slots), fails))
      dut.io.written.bits.slot.poke(slot)
      dut.io.written.bits.failed.poke(line == fails)
      val takes = !gaps || random.nextInt(3) > 0
      dut.io.beat.ready.poke(takes)
      val beat =
        if (takes && dut.io.beat.valid.peekBoolean())
          Some((dut.io.beat.bits.line.peek().toInt, dut.io.beat.bits.slot.peek().toInt))
        else None
      step()
      owed = (owed -- chosen.map(_._1)).map { case (slot, (waits, line)) => slot -> ((math.max(0, waits - 1), line)) }
      for ((line, slot) <- beat) {
        val position = begun.fold(0) { case (of, in, count) =>
          assert(of == line && in == slot, "a line begins within another")
          count
        }
        if (position == 0) {
          assert(!owed.contains(slot), "a second line is written in a slot")
          lines :+= line
          owed += slot -> ((latency, line))
          most = math.max(most, owed.size)
        }
        begun = if (position == 7) None else Some((line, slot, position + 1))
      }
    }

    /** Clears a page; in how many cycles. */
    def clear(page: Int, slowly: Boolean = false): Int = {
      most = 0
      dut.io.page.bits.page.poke(page)
      dut.io.page.bits.slowly.poke(slowly)
      dut.io.page.valid.poke(true)
      dut.io.page.ready.expect(true)
      cycle()
      dut.io.page.valid.poke(false)
      var cycles = 0
      while (!dut.io.page.ready.peekBoolean()) {
        cycle()
        cycles += 1
        assert(cycles < 20000)
      }
      assert(owed.isEmpty && begun.isEmpty, "the next page is taken before this one is written")
      cycles
    }
  }
  private def linesOf(page: Int) = (64 * page until 64 * page + 64)

  // covers: contexts.clearer
  test("all lines of a page are written, once and in order, and no others") {
    simulate(new PageClearer(pageNumberBits)) { dut =>
      val random = new Random(1)
      dut.io.page.valid.poke(false)
      var pages = 0
      for {
        page <- Seq(lastPage, 0, lastPage, 1, 2, 16)
        gaps <- Seq(false, true)
        latency <- Seq(0, 3, 100)
      } {
        val at = new Memory(dut, random, random.nextInt(1 + latency), gaps)
        val slowly = random.nextBoolean()
        at.clear(page, slowly)
        assert(at.lines == linesOf(page))
        assert(!slowly || at.most == 1, "lines that are written slowly are written one by one")
        pages += 1
        dut.io.cleared.expect(pages)
        // Nothing more comes unasked
        for (_ <- 0 until 20) at.cycle()
        assert(at.lines.size == 64)
      }
    }
  }

  // covers: contexts.clearer
  test("a page takes 512 cycles and what the last line waits for, with memory of 24 cycles") {
    simulate(new PageClearer(pageNumberBits)) { dut =>
      dut.io.page.valid.poke(false)
      assert(new Memory(dut, new Random(2), 24, gaps = false).clear(3) <= 512 + 25)
    }
  }

  // covers: contexts.clear-failure
  test("a page of which a line fails, the last one too, does not count, and its other lines are written") {
    simulate(new PageClearer(pageNumberBits)) { dut =>
      val random = new Random(3)
      dut.io.page.valid.poke(false)
      var pages = 0
      for (line <- Seq(0, 1, 62, 63)) {
        val at = new Memory(dut, random, random.nextInt(20), gaps = true, fails = 64 * 5 + line)
        at.clear(5)
        assert(at.lines == linesOf(5))
        dut.io.cleared.expect(pages)
        val next = new Memory(dut, random, 10, gaps = false)
        next.clear(6)
        pages += 1
        dut.io.cleared.expect(pages)
      }
    }
  }
}
