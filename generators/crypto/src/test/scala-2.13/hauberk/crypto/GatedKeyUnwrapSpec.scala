package hauberk.crypto

import chisel3._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** An unwrapper with a gate beside one without. */
private class GatedUnwrapBench extends Module {
  val io = IO(new KeyUnwrapIO {

    /** Both show the same in this cycle. */
    val alike = Output(Bool())
    val running = Output(Bool())
  })
  private val gated = Module(new GatedKeyUnwrap)
  private val plain = Module(new KeyUnwrap)
  for (unwrap <- Seq[KeyUnwrapIO](gated.io, plain.io)) {
    unwrap.kek := io.kek
    unwrap.kekValid := io.kekValid
    unwrap.wrapped := io.wrapped
    unwrap.start := io.start
  }
  io.busy := plain.io.busy
  io.failed := plain.io.failed
  io.key := plain.io.key
  io.alike := gated.io.busy === plain.io.busy && gated.io.failed === plain.io.failed &&
    gated.io.key.asUInt === plain.io.key.asUInt
  io.running := gated.io.running
}

/** A gated unwrapper: the same cycle by cycle, and standing still while it does not unwrap. */
class GatedKeyUnwrapSpec extends AnyFunSuite with Simulation {
  // covers: crypto.clock-gates
  test("behaves as without a gate, whenever it starts, and stops after each key") {
    simulate(new GatedUnwrapBench) { dut =>
      val random = new Random(3394)
      def tick(): Unit = {
        assert(dut.io.alike.peekBoolean())
        step()
      }
      dut.io.start.poke(false)
      dut.io.kekValid.poke(true)
      var unwrapped, failed = 0
      for (round <- 0 until 40) {
        val (kek, key) = (JdkAes.random(random, 128), JdkAes.random(random, 128))
        val right = random.nextInt(3) != 0
        dut.io.kek.poke(if (right) kek else kek ^ 1)
        dut.io.wrapped.zip(JdkAes.wrap(kek, key)).foreach { case (port, word) => port.poke(word) }
        dut.io.kekValid.poke(random.nextInt(6) != 0)
        dut.io.start.poke(true)
        tick()
        dut.io.start.poke(random.nextInt(4) == 0)
        tick()
        dut.io.start.poke(false)
        while (dut.io.busy.peekBoolean()) {
          if (dut.io.key.valid.peekBoolean()) unwrapped += 1
          tick()
        }
        if (dut.io.failed.peekBoolean()) failed += 1
        // The next start while the clock runs on, as it stops, or when it stands
        if (round % 2 == 0) for (_ <- 0 until random.nextInt(80)) tick()
        else {
          for (_ <- 0 until 100) tick()
          assert(!dut.io.running.peekBoolean(), "the clock runs for nothing")
        }
      }
      assert(unwrapped > 10 && failed > 5)
    }
  }
}
