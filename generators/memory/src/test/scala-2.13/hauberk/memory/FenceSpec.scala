package hauberk.memory

import hauberk.memory.cache.Fence
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** A fence alone: it is done when each thing that was pending at its moment has been clear once. */
class FenceSpec extends AnyFunSuite with Simulation {
  // covers: memory.fence
  test("a fence waits for what was pending at its moment, and for nothing that came later") {
    simulate(new Fence(3)) { dut =>
      val random = new Random(28)
      // What it waits for, since its moment
      var left = Option.empty[Set[Int]]
      var (atOnce, later) = (0, 0)
      for (_ <- 0 until 4000) {
        val pending = (0 until 3).filter(_ => random.nextBoolean()).toSet
        val isDone = left.exists(_.isEmpty)
        val starts = (left.isEmpty || isDone) && random.nextInt(3) == 0
        dut.io.start.poke(starts)
        dut.io.pending.poke(pending.map(1 << _).sum)
        dut.io.waits.expect(left.nonEmpty)
        dut.io.done.expect(isDone)
        if (starts && pending.isEmpty) atOnce += 1 else if (starts) later += 1
        step()
        left = if (starts) Some(pending) else if (isDone) None else left.map(_ & pending)
      }
      assert(atOnce > 20 && later > 100)
    }
  }

  test("nothing is done before the first moment, nor after a reset") {
    simulate(new Fence(3)) { dut =>
      for (_ <- 0 until 3) {
        dut.io.start.poke(false)
        dut.io.pending.poke(0)
        for (_ <- 0 until 3) {
          dut.io.waits.expect(false)
          dut.io.done.expect(false)
          step()
        }
        dut.io.start.poke(true)
        dut.io.pending.poke(5)
        step()
        dut.io.waits.expect(true)
        resetDesign(dut)
      }
    }
  }
}
