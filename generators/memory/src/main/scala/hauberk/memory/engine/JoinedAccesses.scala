package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry
import hauberk.memory.port.{Lanes, MemoryRequest, MemoryResponse}

/** Accesses that join the youngest access of their block, which is a write in flight, and become no transactions of their own (`combinesWrites`): reads of its
  * bytes, and writes of some of them. Each is answered in the cycle after it is taken, one at a time. Blocks are single beats.
  *
  * Hardware is added to the module that makes it; none where nothing joins.
  *
  * @param request  what is offered
  * @param open     the write's bytes may still change, by write; at most one of all
  * @param complete the write has all bytes of its block, by write; at most one of all, the same
  */
private[engine] class JoinedAccesses(p: Geometry, request: MemoryRequest, open: UInt, complete: UInt) {
  private val answer = RegInit(0.U.asTypeOf(Valid(new MemoryResponse(p.core))))
  private val mayJoin = p.combinesWrites.B && !answer.valid

  /** What is offered joins. */
  val joins: Bool = mayJoin && Mux(request.write, open.orR, complete.orR)

  /** The write offered takes the rest of its block's bytes from the one in flight, and needs no read of memory. */
  val extendsWrite: Bool = p.combinesWrites.B && request.write && !joins && complete.orR

  /** The write in flight. */
  val at: UInt = OHToUInt(open | complete)

  /** The bytes of a write that joins or extends it. */
  def bytes(inFlight: UInt): UInt =
    if (p.combinesWrites) Mux(joins || extendsWrite, Lanes.merge(request.mask, request.data, inFlight), request.data)
    else request.data

  /** What was offered is taken, of a block with these bytes. */
  def take(inFlight: UInt): Unit = {
    answer.valid := true.B
    answer.bits.write := request.write
    answer.bits.id := request.id
    answer.bits.size := request.size
    answer.bits.data := Mux(request.write, 0.U, inFlight)
  }

  /** An answer waits. */
  def busy: Bool = answer.valid

  /** Puts its answer before `port`'s, which waits meanwhile. */
  def before(port: DecoupledIO[MemoryResponse]): Unit = {
    when(answer.valid) {
      port.valid := true.B
      port.bits := answer.bits
      when(port.ready) { answer.valid := false.B }
    }
  }
}
