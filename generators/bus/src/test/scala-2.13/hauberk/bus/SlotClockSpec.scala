package hauberk.bus

import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The clock of slots alone, beside the times at which slots were used. */
class SlotClockSpec extends AnyFunSuite with Simulation {
  private val slots = 3

  // covers: bus.mask-agreement
  test("a slot is ready again as many cycles after its use as the cipher takes, and at once when all are cleared") {
    for (cycles <- Seq(5, 8)) simulate(new SlotClock(slots, cycles)) { dut =>
      val random = new Random(7)
      var free = Seq.fill(slots)(0)
      for (now <- 0 until 1500) {
        val (clears, uses, slot) = (random.nextInt(30) == 0, random.nextInt(4) == 0, random.nextInt(slots))
        if (now % 100 == 0) {
          resetDesign(dut)
          free = Seq.fill(slots)(0)
        }
        dut.io.clear.poke(clears)
        dut.io.use.valid.poke(uses)
        dut.io.use.bits.poke(slot)
        for ((ready, time) <- dut.io.ready.zip(free)) ready.expect(now >= time)
        step()
        if (clears) free = Seq.fill(slots)(0) else if (uses) free = free.updated(slot, now + cycles)
      }
    }
  }
}
