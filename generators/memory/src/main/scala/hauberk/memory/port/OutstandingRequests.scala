package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Drops responses that no request in flight is owed, so that untrusted memory answers each request once, in one burst.
  *
  * Owed is, for an identifier in use, one burst of the kind (`write`) and of the length that was asked for, whose beats no other response
  * interrupts. All else is taken and dropped: a second answer, further beats, an acknowledgement of what was not written, an
  * identifier that is not in use. Behind this, a burst that was hashed does not change, and an entry that was reused gets nothing that was for
  * the last request. What a unit checks by itself is the content.
  *
  * Adds no cycle. Memory may answer in the cycle of the request; the response is then held for a cycle.
  *
  * @param ids identifiers in use, from 0
  */
class OutstandingRequests(params: MemoryPortParams, ids: Int) extends Module {
  val io = IO(new Bundle {
    val unit = Flipped(new MemoryPort(params))
    val memory = new MemoryPort(params)
  })
  private val reads, writes = RegInit(VecInit(Seq.fill(ids)(false.B)))
  private val lasts = Reg(Vec(ids, UInt(params.beatIndexBits.W)))

  private val request = io.unit.request
  io.memory.request <> request
  private val asked = Burst.lastBeat(request.bits.size, params)
  private val (asks, _, _) =
    Burst.track(request.valid && request.ready, Mux(request.bits.write, asked, 0.U(params.beatIndexBits.W)))

  private val response = io.memory.response
  private val id = response.bits.id
  private def of[T <: Data](entries: Vec[T]): T = entries(id(math.max(1, log2Ceil(ids)) - 1, 0))
  private val current = Reg(UInt(params.idBits.W))
  private val taken = io.unit.response.valid && io.unit.response.ready
  private val (first, last, _) = Burst.track(taken, of(lasts))
  private val owed = Mux(response.bits.write, of(writes), of(reads)) && id < ids.U && (first || id === current)
  private val early = request.valid && request.ready && request.bits.id === id
  io.unit.response.valid := response.valid && owed
  io.unit.response.bits := response.bits
  response.ready := Mux(owed, io.unit.response.ready, !early)

  when(taken) {
    current := id
    when(last) {
      of(reads) := false.B
      of(writes) := false.B
    }
  }
  when(request.valid && request.ready && asks) {
    reads(request.bits.id) := !request.bits.write
    writes(request.bits.id) := request.bits.write
    lasts(request.bits.id) := Mux(request.bits.write, 0.U, asked)
  }
}
