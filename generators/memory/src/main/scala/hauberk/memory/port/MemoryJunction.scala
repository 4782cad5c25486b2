package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Joins memory ports into one: requests as in [[MemoryArbiter]], the first port with the highest priority; responses by identifier. Adds
  * no cycle.
  *
  * @param identifiers of each port the lowest identifier and the one after the highest
  */
class MemoryJunction(params: MemoryPortParams, identifiers: Seq[(Int, Int)]) extends Module {
  val io = IO(new Bundle {
    val in = Vec(identifiers.size, Flipped(new MemoryPort(params)))
    val out = new MemoryPort(params)
  })
  private val arbiter = Module(new MemoryArbiter(params, identifiers.size))
  io.out.request <> arbiter.io.out
  private val response = io.out.response
  private val here = identifiers.map { case (first, end) => response.bits.id >= first.U && response.bits.id < end.U }
  for (((port, request), mine) <- io.in.zip(arbiter.io.in).zip(here)) {
    request <> port.request
    port.response.valid := response.valid && mine
    port.response.bits := response.bits
  }
  response.ready := Mux1H(here, io.in.map(_.response.ready))
}
