package hauberk.memory.cache

import chisel3._
import chisel3.util._

/** Tells when something in use has had no verdict for too long: memory that an attacker schedules may hold back what the verdict needs.
  *
  * A thing that stays pending is late at most `timeout` cycles after it became pending, and never within the first half of them.
  *
  * @param count   things that may be pending
  * @param timeout cycles; even, at least 2
  */
class VerdictTimer(count: Int, timeout: Int) extends Module {
  require(
    timeout >= 2 && timeout % 2 == 0,
    s"a verdict timeout of $timeout cycles has no two halves: choose an even number"
  )
  val io = IO(new Bundle {

    /** In use, without a verdict. Clear for one cycle at least between two users of a bit. */
    val pending = Input(UInt(count.W))

    /** For one cycle: these have been pending for too long. */
    val late = Output(UInt(count.W))
  })
  private val half = timeout / 2
  private val timer = RegInit(0.U(log2Ceil(half + 1).W))
  private val marked = RegInit(0.U(count.W))
  private val ticks = timer === (half - 1).U
  timer := Mux(ticks || !io.pending.orR, 0.U, timer + 1.U)
  marked := Mux(ticks, io.pending, marked & io.pending)
  io.late := Mux(ticks, marked & io.pending, 0.U)
}
