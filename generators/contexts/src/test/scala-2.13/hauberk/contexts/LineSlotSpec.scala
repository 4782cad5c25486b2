package hauberk.contexts

import hauberk.testing.{Remains, Simulation}
import org.scalatest.funsuite.AnyFunSuite
import scala.collection.mutable
import scala.util.Random

class LineSlotSpec extends AnyFunSuite with Simulation {
  // covers: contexts.slot-erase
  test("what is dropped does not stay inside") {
    simulate(new LineSlot) { dut =>
      def beat(word: BigInt): Unit = {
        dut.io.beat.valid.poke(true)
        dut.io.beat.bits.poke(word)
        step()
        dut.io.beat.valid.poke(false)
      }
      def ask(): Unit = {
        dut.io.isFree.expect(true)
        dut.io.asked.poke(true)
        step()
        dut.io.asked.poke(false)
      }
      Seq(dut.io.asked, dut.io.beat.valid, dut.io.word.ready, dut.io.ends).foreach(_.poke(false))
      ask()
      for (i <- 1 to RangeHasher.beats) beat(0x1000 + i)
      dut.io.word.bits.expect(0x1001)
      dut.io.ends.poke(true)
      step()
      dut.io.ends.poke(false)
      dut.io.word.valid.expect(false)
      dut.io.word.bits.expect(0)
      // What leaves makes room at the front for what is behind it: nothing
      for (i <- 1 to RangeHasher.beats) {
        if (i == 1) ask()
        beat(0x2000 + i)
        dut.io.word.bits.expect(0x2000 + i)
        dut.io.word.ready.poke(true)
        step()
        dut.io.word.ready.poke(false)
        dut.io.word.bits.expect(0)
      }
      dut.io.isFree.expect(true)
    }
  }

  // covers: contexts.slot-erase
  test("nothing is left of a line that is dropped, however much of it is there") {
    val random = new Random(9)
    val words = Seq.fill(RangeHasher.beats)(BigInt(64, random))
    val states = looks(new LineSlot) { dut =>
      def cycle(asks: Boolean = false, beat: Option[BigInt] = None, ends: Boolean = false): Unit = {
        dut.io.asked.poke(asks)
        dut.io.beat.valid.poke(beat.nonEmpty)
        dut.io.beat.bits.poke(beat.getOrElse(BigInt(0)))
        dut.io.ends.poke(ends)
        step()
      }
      dut.io.word.ready.poke(false)
      for {
        resets <- Seq(false, true)
        count <- 1 to words.size
      } {
        cycle(asks = true)
        for (word <- words.take(count)) cycle(beat = Some(word))
        look(dut)
        if (resets) resetDesign(dut)
        else {
          cycle(ends = true)
          for (_ <- count until words.size) cycle(beat = Some(0))
        }
        cycle()
        look(dut)
      }
    }
    Remains.erased(states, words.take(1).map(_ -> 64))
    for (state <- states.grouped(2).map(_.last)) assert(Remains.of(state, words.map(_ -> 64): _*).isEmpty)
  }

  test("words leave as they came, or none of them, with any events in a cycle, and nothing stays behind") {
    simulate(new LineSlot) { dut =>
      val random = new Random(8)
      def oneIn(n: Int) = random.nextInt(n) == 0
      val held = mutable.Queue[BigInt]()
      var (owed, drops) = (0, false)
      for (_ <- 0 until 4000) {
        val isFree = owed == 0 && held.isEmpty
        val (asks, comes, takes, ends) = (isFree && oneIn(2), owed > 0 && !oneIn(3), oneIn(3), oneIn(25))
        val word = BigInt(64, random)
        dut.io.asked.poke(asks)
        dut.io.beat.valid.poke(comes)
        dut.io.beat.bits.poke(word)
        dut.io.word.ready.poke(takes)
        dut.io.ends.poke(ends)
        dut.io.isFree.expect(isFree)
        dut.io.drops.expect(drops)
        dut.io.word.valid.expect(held.nonEmpty)
        dut.io.word.bits.expect(held.headOption.getOrElse(BigInt(0)))
        step()
        if (takes && held.nonEmpty) held.dequeue()
        if (comes && !drops) held.enqueue(word)
        owed = if (asks) RangeHasher.beats else if (comes) owed - 1 else owed
        drops = if (ends) owed > 0 else drops && owed > 0
        if (ends) held.clear()
      }
    }
  }
}
