package hauberk.crypto

import chisel3._
import chisel3.util._

/** A clock that stops while `enable` is low, where the Verilog macro HAUBERK_CLOCK_GATES is defined; elsewhere it runs on. */
private[crypto] class HauberkClockGate extends BlackBox with HasBlackBoxResource {
  val io = IO(new Bundle {
    val clock = Input(Clock())
    val enable = Input(Bool())
    val gated = Output(Clock())
  })
  addResource("/vsrc/HauberkClockGate.v")
}

/** Hardware on a clock that may stop. */
object GatedClock {

  /** Makes hardware whose clock stops while `runs` is low, where the Verilog macro HAUBERK_CLOCK_GATES is defined. Elsewhere the clock runs on: the
    * hardware must behave the same either way.
    *
    * @param runs   the clock has an edge at the end of this cycle; must be high during reset. May depend on what the hardware shows
    * @param domain makes the hardware
    */
  def apply[T](runs: Bool)(domain: => T): T = {
    val gate = Module(new HauberkClockGate)
    gate.io.clock := Module.clock
    gate.io.enable := runs
    withClock(gate.io.gated)(domain)
  }

  /** A clock's `runs` where it must run while `works` is high, during reset, and for `cycles` cycles after both. */
  def runOn(works: Bool, cycles: Int): Bool = {
    val left = RegInit(cycles.U(log2Ceil(cycles + 1).W))
    when(works) { left := cycles.U }.elsewhen(left =/= 0.U) { left := left - 1.U }
    works || left =/= 0.U || Module.reset.asBool
  }
}
