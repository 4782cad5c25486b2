package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Joins request streams into one, the first with the highest priority, and never breaks a burst. Adds no cycle.
  *
  * @param inputs number of streams
  */
class MemoryArbiter(params: MemoryPortParams, inputs: Int) extends Module {
  val io = IO(new Bundle {
    val in = Vec(inputs, Flipped(Decoupled(new MemoryRequest(params))))
    val out = Decoupled(new MemoryRequest(params))
  })
  private val locked = Reg(UInt(inputs.W))
  private val lastIdx = Mux(io.out.bits.write, Burst.lastBeat(io.out.bits.size, params), 0.U)
  private val (first, _, _) = Burst.track(io.out.valid && io.out.ready, lastIdx)
  private val wants = VecInit(io.in.map(_.valid)).asUInt
  private val chosen = Mux(first, PriorityEncoderOH(wants), locked)
  when(io.out.valid && io.out.ready) { locked := chosen }
  io.out.valid := (chosen & wants).orR
  io.out.bits := Mux1H(chosen, io.in.map(_.bits))
  for ((in, i) <- io.in.zipWithIndex) { in.ready := io.out.ready && chosen(i) }
}
