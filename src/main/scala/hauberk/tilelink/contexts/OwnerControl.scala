package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import hauberk.contexts._

/** Takes writes of the register of owners: a page of memory and an SPID become a change of the table, which waits until no other master has a request under
  * way, and lets none begin. What does not exist is refused, and changes nothing.
  */
private[contexts] class OwnerControl(p: ContextParams, memory: OwnedMemory) extends Module {
  val io = IO(new Bundle {
    val written = Flipped(Decoupled(UInt(64.W)))
    val refused = Output(Bool())

    /** What was written last has not taken effect yet. */
    val busy = Output(Bool())
    val change = Decoupled(new Ownership(p))

    /** Other masters have no request under way. */
    val quiet = Input(Bool())
  })
  private val spid = ContextMap.ownerSpid.of(io.written.bits)
  private val address = Cat(ContextMap.ownerPage.of(io.written.bits), 0.U(ContextParams.pageBits.W))
  private val exists = memory.contains(address) && spid <= p.contexts.U
  private val refused, busy = RegInit(false.B)
  private val change = Reg(new Ownership(p))
  io.written.ready := !busy
  when(io.written.valid && io.written.ready) {
    refused := !exists
    busy := exists
    change.page := memory.pageOf(address)
    change.owner := spid
  }
  io.refused := refused
  io.busy := busy
  // They begin none while it is busy
  private val still = RegNext(busy && io.quiet, false.B)
  io.change.valid := busy && still
  io.change.bits := change
  when(io.change.valid && io.change.ready) { busy := false.B }
}
