package hauberk.memory

import hauberk.memory.integrity.TouchedLines
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The table of version lines that were ever written alone, beside a set. */
class TouchedLinesSpec extends AnyFunSuite with Simulation {
  private val perWord = 64
  private val sizes = Seq(40 -> 6, 65 -> 7, 256 -> 8)

  // covers: memory.log-hash
  for ((lines, lineBits) <- sizes) test(s"bits of $lines lines agree with a set, from each reset on") {
    simulate(new TouchedLines(lines, lineBits)) { dut =>
      val random = new Random(lines)
      val words = (lines + perWord - 1) / perWord
      val (mark, ask, scan) = (dut.io.mark, dut.io.ask, dut.io.scan)
      def idle(): Unit = for (valid <- Seq(mark.valid, ask.valid, scan.valid)) valid.poke(false)
      for (_ <- 0 until 3) {
        idle()
        resetDesign(dut)
        for (_ <- 0 until words) {
          scan.valid.poke(true)
          dut.io.cleared.expect(false)
          scan.ready.expect(false)
          step()
        }
        val touched = new scala.collection.mutable.BitSet
        def word(number: Int) =
          (0 until perWord).filter(i => touched(perWord * number + i)).map(BigInt(1) << _).sum
        def looks(): Unit = {
          for (line <- 0 until lines) {
            ask.valid.poke(true)
            ask.bits.poke(line)
            scan.valid.poke(true)
            scan.bits.poke((line / perWord + 1) % words)
            scan.ready.expect(false)
            step()
            ask.bits.poke((line + 1) % lines)
            dut.io.answer.expect(touched(line))
          }
          ask.valid.poke(false)
          for (number <- 0 until words) {
            scan.bits.poke(number)
            scan.ready.expect(true)
            step()
            scan.bits.poke((number + 1) % words)
            dut.io.word.expect(word(number))
          }
        }
        idle()
        looks()
        for (_ <- 0 until 200) {
          dut.io.cleared.expect(true)
          val line = random.nextInt(lines)
          val marks = random.nextBoolean()
          mark.valid.poke(marks)
          mark.bits.poke(line)
          // Of another word than the one that is written
          val other = random.nextInt(lines)
          val asks = random.nextBoolean() && (!marks || other / perWord != line / perWord)
          ask.valid.poke(asks)
          ask.bits.poke(other)
          val expected = touched(other)
          step()
          if (asks) dut.io.answer.expect(expected)
          if (marks) touched += line
        }
        idle()
        looks()
        // The first and the last
        for (line <- Seq(0, lines - 1)) {
          mark.valid.poke(true)
          mark.bits.poke(line)
          step()
          idle()
          touched += line
          looks()
        }
      }
    }
  }
}
