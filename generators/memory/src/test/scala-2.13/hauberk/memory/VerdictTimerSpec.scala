package hauberk.memory

import hauberk.memory.cache.VerdictTimer
import hauberk.memory.common.Bank
import hauberk.memory.integrity.{TagStore, Verification}
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What stays pending is late after the first half of the timeout and within the second, whenever it began and whatever else is pending. */
// covers: memory.late-verdict
class VerdictTimerSpec extends AnyFunSuite with Simulation {
  private val (things, timeout) = (3, 20)

  /** The cycle in which the first thing is late, counted from the one in which it is first pending; None if it is not within twice the timeout. */
  private def lateAt(dut: VerdictTimer, phase: Int, lasts: Int, others: Int => Int): Option[Int] = {
    resetDesign(dut)
    for (cycle <- 0 until phase) {
      dut.io.pending.poke(others(cycle))
      step()
    }
    (0 until 2 * timeout).find { cycle =>
      dut.io.pending.poke((if (cycle < lasts) 1 else 0) | others(phase + cycle))
      val late = (dut.io.late.peek() & 1) == 1
      step()
      late
    }
  }

  test("a thing is late in the second half of the timeout, at any phase; one that ends in the first is not") {
    simulate(new VerdictTimer(things, timeout)) { dut =>
      for {
        phase <- 0 to timeout
        others <- Seq[Int => Int](_ => 0, _ => 4, cycle => if (cycle % 3 == 0) 0 else 2)
      } {
        val at = lateAt(dut, phase, lasts = 2 * timeout, others)
        assert(at.exists(cycle => cycle >= 10 && cycle < 20), s"late at $at with phase $phase")
        assert(lateAt(dut, phase, lasts = 10, others).isEmpty, s"a thing of ten cycles is late with phase $phase")
      }
    }
  }

  test("each of several things that come and go is late by itself") {
    simulate(new VerdictTimer(things, timeout)) { dut =>
      val random = new Random(20)
      val since, late = Array.fill(things)(Option.empty[Int])
      val seen = Array.fill(things)(0)
      for (cycle <- 0 until 6000) {
        for (i <- 0 until things) {
          val stays = since(i).nonEmpty && random.nextInt(25) != 0
          if (since(i).nonEmpty && !stays) since(i) = None
          else if (since(i).isEmpty && random.nextInt(8) == 0) since(i) = Some(cycle)
          if (since(i).isEmpty) late(i) = None
        }
        dut.io.pending.poke(since.indices.filter(since(_).nonEmpty).map(1 << _).sum)
        val now = dut.io.late.peek()
        for (i <- 0 until things) {
          if (now.testBit(i)) {
            assert(since(i).exists(cycle - _ >= timeout / 2), s"thing $i is late in cycle $cycle")
            if (late(i).isEmpty) seen(i) += 1
            late(i) = Some(cycle)
          }
          if (since(i).exists(cycle - _ >= timeout - 1))
            assert(late(i).nonEmpty, s"thing $i is not late in cycle $cycle")
        }
        step()
      }
      assert(seen.forall(_ > 20))
    }
  }

  test("two users of a bit, one after the other, are two things") {
    simulate(new VerdictTimer(things, timeout)) { dut =>
      for (phase <- 0 until timeout) {
        resetDesign(dut)
        for (cycle <- 0 until 8 * timeout) {
          dut.io.pending.poke(2 | (if ((cycle + phase) % 10 == 0) 0
                                   else 1)) // nine cycles each; another is always pending
          assert((dut.io.late.peek() & 1) == 0, s"late in cycle $cycle, phase $phase")
          step()
        }
      }
    }
  }

  test(
    "a tag line in use that its guard does not settle is late; until it is in use, and once it is settled, it is not"
  ) {
    val bound = 600
    val params =
      SmallCaches(ProtectionParams.blockMac).copy(verification = Verification.Speculative, verdictTimeout = 600)
    simulate(new TagStore(Protection(params, Bank(localBytes = 1 << 14)), SmallCaches.cache, firstId = 0)) { dut =>
      val guard = dut.io.guard

      /** A read misses, and memory gives its line; the cycles in which it was late, from its release on. */
      def lateAt(releasedAt: Option[Int], settledAt: Option[Int]): Seq[Int] = {
        resetDesign(dut)
        val memory = new PortMemory(this, dut.io.memory, SteadyMemory(8))
        for (
          signal <- Seq(
            dut.io.flush,
            dut.io.fence,
            dut.io.lookup.bits.write,
            guard.released.valid,
            guard.settled.valid,
            guard.sealedLine.valid
          )
        )
          signal.poke(false)
        guard.fetched.ready.poke(true)
        dut.io.lookup.bits.block.poke(5)
        dut.io.lookup.valid.poke(true)
        var asks, fetched = false
        def tick(): Boolean = {
          memory.drive()
          memory.settle()
          asks ||= dut.io.lookup.answer.accepted.peekBoolean()
          fetched ||= guard.fetched.valid.peekBoolean()
          val late = dut.io.late.peekBoolean()
          step()
          if (asks) dut.io.lookup.valid.poke(false)
          late
        }
        while (!fetched) assert(!tick(), "late before its line came")
        (0 until 2 * bound).filter { cycle =>
          guard.released.valid.poke(releasedAt.contains(cycle))
          guard.settled.valid.poke(settledAt.contains(cycle))
          guard.settled.bits.ok.poke(true)
          tick()
        }
      }
      assert(lateAt(releasedAt = None, settledAt = None).isEmpty, "nothing was in use")
      assert(lateAt(Some(3), settledAt = Some(bound / 2)).isEmpty)
      for (at <- Seq(0, 3, 250)) assert(lateAt(Some(at), None).headOption.exists(_ <= at + bound), s"released at $at")
    }
  }
}
