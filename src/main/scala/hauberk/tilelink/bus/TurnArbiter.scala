package hauberk.tilelink.bus

import chisel3._
import chisel3.util._

/** Round-robin arbiter; an offered item stays until it is taken. Adds no cycle. */
private[tilelink] class TurnArbiter[T <: Data](kind: => T, n: Int) extends Module {
  val io = IO(new Bundle {
    val in = Vec(n, Flipped(Decoupled(kind)))
    val out = Decoupled(kind)
  })
  private val latest = RegInit(0.U(log2Ceil(n).max(1).W))
  private val holds = RegInit(false.B)
  private val asking = VecInit(io.in.map(_.valid)).asUInt
  private val behind = VecInit((0 until n).map(i => asking(i) && i.U > latest)).asUInt
  private val turn = Mux(behind.orR, PriorityEncoder(behind), PriorityEncoder(asking))
  private val chosen = UIntToOH(Mux(holds, latest, turn), n)

  io.out.valid := (chosen & asking).orR
  io.out.bits := Mux1H(chosen, io.in.map(_.bits))
  for ((port, i) <- io.in.zipWithIndex) { port.ready := io.out.ready && chosen(i) }
  when(io.out.valid) {
    latest := Mux(holds, latest, turn)
    holds := !io.out.ready
  }
}
