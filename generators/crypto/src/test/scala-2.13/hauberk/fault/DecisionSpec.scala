package hauberk.fault

import chisel3._
import hauberk.testing.Simulation
import org.scalatest.funsuite.AnyFunSuite

/** A sparse register, and a comparison whose two comparators see different values. */
private class Decisions extends Module {
  val io = IO(new Bundle {
    val register = Input(UInt(4.W))
    val decision = Input(Bool())
    val word = Output(UInt(4.W))
    val careful, bold, faulty = Output(Bool())
    val a, again, b = Input(UInt(4.W))
    val same, once = Output(Bool())
  })
  io.word := Sparse(io.decision)
  io.careful := Sparse.isSet(io.register, safe = false)
  io.bold := Sparse.isSet(io.register, safe = true)
  io.faulty := Sparse.faulty(io.register)
  io.same := io.a === io.b && !Twice.differs(io.again, io.b)
  io.once := Twice.confirm(io.a === io.b, io.a, io.b)
}

/** Redundant decisions, with every value that their registers and wires can have. */
class DecisionSpec extends AnyFunSuite with Simulation {
  test("one to three flips of a sparse flag are found, and leave the safe value") {
    simulate(new Decisions) { dut =>
      for (decision <- Seq(false, true)) {
        dut.io.decision.poke(decision)
        val word = dut.io.word.peek().toInt
        for (register <- 0 until 16) {
          dut.io.register.poke(register)
          Integer.bitCount(register ^ word) match {
            case 0 =>
              dut.io.faulty.expect(false)
              for (read <- Seq(dut.io.careful, dut.io.bold)) read.expect(decision)
            case 4 => dut.io.faulty.expect(false)
            case _ =>
              dut.io.faulty.expect(true)
              dut.io.careful.expect(false)
              dut.io.bold.expect(true)
          }
        }
      }
    }
  }

  test("two comparators call equal only what both do") {
    simulate(new Decisions) { dut =>
      for {
        a <- 0 until 16
        again <- 0 until 16
        b <- 0 until 16
      } {
        dut.io.a.poke(a)
        dut.io.again.poke(again)
        dut.io.b.poke(b)
        dut.io.same.expect(a == b && again == b)
        dut.io.once.expect(a == b)
      }
    }
  }
}
