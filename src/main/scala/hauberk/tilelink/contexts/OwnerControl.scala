package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import hauberk.contexts._

/** Takes writes of the register of owners: a page of memory and an SPID become a change of the table, which waits until no other master has a request under
  * way, and lets none begin. A page or SPID that does not exist is refused, and so is a new owner for a page that has one: it must become nobody's first. What
  * is refused changes nothing.
  *
  * @param usable addresses of pages
  */
private[contexts] class OwnerControl(p: ContextParams, memory: OwnedMemory, usable: Seq[AddressSet]) extends Module {
  val io = IO(new Bundle {
    val written = Flipped(Decoupled(UInt(64.W)))
    val refused = Output(Bool())

    /** What was written last has not taken effect yet. */
    val busy = Output(Bool())
    val change = Decoupled(new Ownership(p))

    /** The page's owner until then. */
    val before = new OwnerLookup(p)

    /** Other masters have no request under way. */
    val quiet = Input(Bool())
  })
  private val spid = ContextMap.ownerSpid.of(io.written.bits)
  private val address = Cat(ContextMap.ownerPage.of(io.written.bits), 0.U(ContextParams.pageBits.W))
  private val exists = usable.map(_.contains(address)).foldLeft(false.B)(_ || _) && spid <= p.contexts.U
  private val refused, busy, asked, free = RegInit(false.B)
  private val change = Reg(new Ownership(p))
  io.written.ready := !busy
  when(io.written.valid && io.written.ready) {
    refused := !exists
    busy := exists
    free := spid === 0.U
    change.page := memory.pageOf(address)
    change.owner := spid
  }
  io.refused := refused
  io.busy := busy
  io.before.page.valid := busy && !free && !asked
  io.before.page.bits := change.page
  asked := io.before.page.valid && io.before.page.ready
  when(asked) {
    val hasOwner = io.before.owner =/= 0.U
    free := !hasOwner
    busy := !hasOwner
    refused := hasOwner
  }
  // They begin none while it is busy
  private val still = RegNext(busy && io.quiet, false.B)
  io.change.valid := busy && free && still
  io.change.bits := change
  when(io.change.valid && io.change.ready) { busy := false.B }
}
