package hauberk.memory

import hauberk.memory.engine.FlushAfterWrites
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** The wait before a flush alone: it begins when each write that was posted at a command is in memory. */
class FlushAfterWritesSpec extends AnyFunSuite with Simulation {
  private val writes = 3

  // covers: memory.flush, memory.posted-writes
  test("a flush begins when all writes posted before its commands are in memory, and for no later ones") {
    simulate(new FlushAfterWrites(writes)) { dut =>
      for (seed <- 1 to 6) {
        resetDesign(dut)
        val random = new Random(seed)
        var posted, elders = Set.empty[Int]
        var waits = false
        var (atOnce, again) = (0, 0)
        for (_ <- 0 until 2000) {
          val command = random.nextInt(6) == 0
          val done = posted.filter(_ => random.nextInt(4) == 0)
          def bits(set: Set[Int]) = BigInt(set.map(1 << _).sum)
          dut.io.command.poke(command)
          dut.io.posted.poke(bits(posted))
          dut.io.done.poke(bits(done))
          val left = (if (command) elders ++ posted else elders) -- done
          val begins = (command || waits) && left.isEmpty
          dut.io.flush.expect(begins)
          dut.io.waits.expect(waits)
          if (command && begins && !waits) atOnce += 1
          if (command && waits) again += 1
          step()
          waits = (command || waits) && !begins
          elders = if (waits) left else Set.empty
          posted --= done
          posted ++= (0 until writes).filter(_ => random.nextInt(6) == 0)
        }
        assert(atOnce > 20 && again > 20)
      }
    }
  }

  test("without a posted write a flush begins in the cycle of its command, and only then") {
    simulate(new FlushAfterWrites(writes)) { dut =>
      for (command <- Seq(false, true, true, false, true, false)) {
        dut.io.command.poke(command)
        dut.io.flush.expect(command)
        dut.io.waits.expect(false)
        step()
      }
    }
  }

  test("a write that ends in the cycle of the command is not waited for; each other one is") {
    simulate(new FlushAfterWrites(writes)) { dut =>
      for {
        posted <- 0 until 8
        done <- 0 until 8 if (done & ~posted) == 0
      } {
        resetDesign(dut)
        dut.io.command.poke(true)
        dut.io.posted.poke(posted)
        dut.io.done.poke(done)
        dut.io.flush.expect(posted == done)
        step()
        dut.io.command.poke(false)
        dut.io.posted.poke(7)
        for (write <- 0 until writes if ((posted & ~done) >> write & 1) == 1) {
          dut.io.done.poke(0)
          dut.io.flush.expect(false)
          dut.io.waits.expect(true)
          step()
          dut.io.done.poke(1 << write)
          dut.io.flush.expect((posted & ~done) >> (write + 1) == 0)
          step()
        }
        dut.io.done.poke(0)
        dut.io.flush.expect(false)
        dut.io.waits.expect(false)
      }
    }
  }
}
