package hauberk.contexts

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

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
}
