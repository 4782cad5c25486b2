package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPortParams, MemoryRequest, MemoryRequestHeader, MemoryResponse}

/** Answers refused requests, one at a time, between the bursts that come from inside, which pass with no cycle added. */
class Denials(params: MemoryPortParams) extends Module {
  val io = IO(new Bundle {

    /** The last beat of a refused request. */
    val refused = Flipped(Decoupled(new MemoryRequest(params)))
    val inside = Flipped(Decoupled(new MemoryResponse(params)))
    val client = Decoupled(new MemoryResponse(params))

    /** A refused request is not answered yet. */
    val busy = Output(Bool())
  })
  private val owed = RegInit(false.B)
  private val debt = Reg(new MemoryRequestHeader(params))
  private val isWrite = Reg(Bool())
  io.refused.ready := !owed
  io.busy := owed
  when(io.refused.valid && io.refused.ready) {
    owed := true.B
    debt := MemoryRequestHeader(params, io.refused.bits)
    isWrite := io.refused.bits.write
  }

  private val inside = io.inside
  private val (between, _, _) = Burst.track(
    inside.valid && inside.ready,
    Mux(inside.bits.write, 0.U, Burst.lastBeat(inside.bits.size, params))
  )
  // Stays until the denial is over, since nothing from inside passes meanwhile
  private val deny = owed && between
  private val (_, lastDenial, _) =
    Burst.track(io.client.valid && io.client.ready && deny, Mux(isWrite, 0.U, Burst.lastBeat(debt.size, params)))
  io.client.valid := deny || inside.valid
  io.client.bits := inside.bits
  inside.ready := io.client.ready && !deny
  when(deny) {
    io.client.bits.write := isWrite
    io.client.bits.id := debt.id
    io.client.bits.size := debt.size
    io.client.bits.data := 0.U
    io.client.bits.denied := true.B
    when(io.client.ready && lastDenial) { owed := false.B }
  }
}
