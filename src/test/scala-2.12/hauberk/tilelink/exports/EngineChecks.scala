package hauberk.tilelink.exports

import chisel3._

/** The checks of an engine: what is asked for during one begins after it.
  *
  * @param cycles how long a check takes
  */
class EngineChecks(cycles: Int) extends Module {
  val io = IO(new Bundle {
    val ask = Input(Bool())

    /** The engine begins a check that nobody asked for. */
    val own = Input(Bool())
    val checking = Output(Bool())

    /** The last cycle of a check that was asked for. */
    val ends = Output(Bool())

    /** How many were asked for. */
    val asked = Output(UInt(8.W))
  })
  private val left = RegInit(0.U(16.W))
  private val waiting, answers = RegInit(false.B)
  private val count = RegInit(0.U(8.W))
  private val idle = left === 0.U
  when(idle) { answers := waiting }
  waiting := io.ask || (waiting && !idle)
  left := Mux(idle, Mux(waiting || io.own, cycles.U, 0.U), left - 1.U)
  when(io.ask) { count := count + 1.U }
  io.checking := !idle || waiting
  io.ends := answers && left === 1.U
  io.asked := count
}
