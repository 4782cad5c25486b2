package hauberk.testing

import chisel3._
import chisel3.util._
import org.scalatest.funsuite.AnyFunSuite

/** A queue between two handshakes, an adder, and an assertion to trip. */
class SimulationExample extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(UInt(128.W)))
    val out = Decoupled(UInt(128.W))
    val count = Output(UInt(32.W))
    val forbidden = Input(Bool())
    val inverted = Output(Bool())
    val late = Output(Bool())
  })
  val count = RegInit(0.U(32.W))
  count := count + 1.U
  io.count := count
  io.late := count >= 10100.U
  io.inverted := !io.forbidden
  io.out <> Queue(io.in, 4)
  assert(!io.forbidden, "forbidden was driven")
}

/** Registers and a memory that nothing sets. */
private class Unset extends Module {
  val io = IO(new Bundle {
    val enable = Input(Bool())
    val input = Input(UInt(32.W))
    val word = Input(UInt(4.W))
    val registers = Output(Vec(8, UInt(32.W)))
    val memory = Output(UInt(32.W))
    val inputs = Output(UInt(33.W))
  })
  // Each takes another value, or firtool would make one register of them
  io.registers.zipWithIndex.foreach { case (output, i) =>
    val register = Reg(UInt(32.W))
    when(io.enable) { register := io.input + i.U }
    output := register
  }
  private val memory = Mem(16, UInt(32.W))
  when(io.enable) { memory(io.word) := io.input }
  io.memory := memory(io.word)
  io.inputs := io.enable ## io.input
}

class SimulationSpec extends AnyFunSuite with Simulation {
  test("reset, step, poke, peek and handshakes behave as documented") {
    simulate(new SimulationExample) { dut =>
      dut.io.forbidden.poke(false)
      dut.io.in.valid.poke(false)
      dut.io.out.ready.poke(false)
      dut.io.count.expect(0)
      step(10000)
      dut.io.count.expect(10000)
      assert(stepUntil(dut.io.late, 1000) == 100)
      dut.io.count.expect(10100)
      assert(stepUntil(dut.io.late, 1000) == 0)
      dut.io.forbidden.poke(true)
      dut.io.inverted.expect(false)
      dut.io.forbidden.poke(false)
      dut.io.inverted.expect(true)
      val wide = (BigInt(1) << 128) - 12345
      dut.io.in.send()(_.poke(wide))
      dut.io.in.send()(_.poke(7))
      assert(dut.io.out.receive()(_.peek()) == wide)
      assert(dut.io.out.receive()(_.peek()) == 7)
      assert(!dut.io.out.valid.peekBoolean())
      for (i <- 0 until 1000) { dut.io.in.bits.poke(i) }
      intercept[AssertionError](stepUntil(dut.io.out.valid, 5))
      intercept[IllegalArgumentException](dut.io.in.bits.poke(BigInt(1) << 128))
    }
  }

  test("registers and memories start with values of their own, and inputs with zero") {
    simulate(new Unset) { dut =>
      val registers = dut.io.registers.map(_.peek())
      assert(registers.toSet.size == registers.size)
      val words = (0 until 16).map { word =>
        dut.io.word.poke(word)
        dut.io.memory.peek()
      }
      assert(words.toSet.size == words.size)
      dut.io.inputs.expect(0)
    }
  }

  test("what is in registers and memories is found, wherever in them it is") {
    val secret = BigInt("0123456789abcdef", 16)
    val states = looks(new Unset) { dut =>
      look(dut)
      dut.io.word.poke(9)
      dut.io.enable.poke(true)
      dut.io.input.poke((secret >> 24) & 0xffffffffL)
      step()
      look(dut)
      dut.io.inputs.expect((BigInt(1) << 32) + ((secret >> 24) & 0xffffffffL))
      dut.io.input.poke(0)
      step()
      look(dut)
    }
    val Seq(before, found, after) = states.map(Remains.of(_, secret -> 64))
    assert(before.isEmpty && after.isEmpty)
    assert(found.contains("memory_ext.Memory[9]") && found.contains("io_registers_0"), found)
    assert(!found.exists(_.startsWith("memory_ext.Memory[8]")), found)
  }

  test("a failed assertion of the design ends the simulation") {
    val error = intercept[Throwable](simulate(new SimulationExample) { dut =>
      dut.io.in.valid.poke(false)
      dut.io.out.ready.poke(false)
      dut.io.forbidden.poke(true)
      step(2)
      dut.io.count.peek()
    })
    assert(error.getMessage.contains("forbidden was driven"))
  }
}
