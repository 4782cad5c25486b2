package hauberk.bus

import chisel3._
import chisel3.util._

/** Keeps slots from use until the cipher is through with them: `cycles` cycles from one use of a slot to the next.
  *
  * @param slots  how many
  * @param cycles latency of the cipher
  */
class SlotClock(val slots: Int, val cycles: Int) extends Module {
  val io = IO(new Bundle {
    val clear = Input(Bool())
    val use = Flipped(Valid(UInt(log2Ceil(slots).max(1).W)))
    val ready = Output(Vec(slots, Bool()))
  })
  private val left = RegInit(VecInit(Seq.fill(slots)(0.U(log2Ceil(cycles + 1).W))))
  for (slot <- 0 until slots) {
    io.ready(slot) := left(slot) === 0.U
    when(io.clear) {
      left(slot) := 0.U
    }.elsewhen(io.use.valid && io.use.bits === slot.U) {
      left(slot) := (cycles - 1).U
    }.elsewhen(left(slot) =/= 0.U) {
      left(slot) := left(slot) - 1.U
    }
  }
}
