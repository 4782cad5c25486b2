package hauberk.memory.cache

import chisel3._

/** Tells when everything that was pending at a moment is settled, whatever became pending since.
  *
  * @param count things that may be pending
  */
class Fence(count: Int) extends Module {
  val io = IO(new Bundle {

    /** The moment; for one cycle. Not again before `done`. */
    val start = Input(Bool())
    val pending = Input(UInt(count.W))

    /** For one cycle, after `start`. */
    val done = Output(Bool())

    /** From the cycle after `start` to `done`. */
    val waits = Output(Bool())
  })
  private val waits = RegInit(false.B)
  private val left = RegInit(0.U(count.W))
  left := Mux(io.start, io.pending, left & io.pending)
  waits := io.start || (waits && !io.done)
  io.done := waits && !left.orR
  io.waits := waits
}
