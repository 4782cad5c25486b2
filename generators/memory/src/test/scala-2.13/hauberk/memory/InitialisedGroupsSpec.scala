package hauberk.memory

import hauberk.memory.engine.{CounterGroups, InitialisedGroups}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The table of groups of counter lines alone, beside a set. */
class InitialisedGroupsSpec extends AnyFunSuite with Simulation {
  // covers: memory.first-touch
  for (count <- Seq(1, 5, 200)) test(s"no group of $count is initialised before it is marked, and all after") {
    simulate(new InitialisedGroups(CounterGroups(count))) { dut =>
      val random = new Random(count)
      val words = (count + 63) / 64
      def expect(marked: Int => Boolean): Unit = for (group <- 0 until count) {
        val other = random.nextInt(count)
        dut.io.group(0).poke(group)
        dut.io.group(1).poke(other)
        dut.io.initialised(0).expect(marked(group))
        dut.io.initialised(1).expect(marked(other))
      }
      for (_ <- 0 until 3) {
        dut.io.mark.valid.poke(false)
        resetDesign(dut)
        for (_ <- 0 until words) {
          dut.io.cleared.expect(false)
          expect(_ => false)
          step()
        }
        val marked = scala.collection.mutable.Set.empty[Int]
        expect(marked)
        for (group <- random.shuffle((0 until count).toList).take(40) ++ Seq(0, count - 1)) {
          dut.io.cleared.expect(true)
          // Its number alone marks nothing
          dut.io.mark.bits.poke(random.nextInt(count))
          dut.io.mark.valid.poke(false)
          step()
          dut.io.mark.bits.poke(group)
          dut.io.mark.valid.poke(true)
          dut.io.group(0).poke(group)
          dut.io.initialised(0).expect(marked(group))
          step()
          marked += group
          dut.io.initialised(0).expect(true)
        }
        dut.io.mark.valid.poke(false)
        expect(marked)
        step(3)
        expect(marked)
      }
    }
  }

  test("groups are a power of two of lines, as few as 1024 bits allow, and cover every line") {
    for (lines <- Seq(1, 2, 3, 1023, 1024, 1025, 2048, 2049, 4096, 100000)) {
      val groups = CounterGroups(lines)
      val size = 1 << groups.offsetBits
      assert(groups.count <= 1024 && groups.count == (lines + size - 1) / size, s"$lines lines")
      assert(size == 1 || (lines + size / 2 - 1) / (size / 2) > 1024, s"$lines lines: half the size would do")
    }
  }
}
