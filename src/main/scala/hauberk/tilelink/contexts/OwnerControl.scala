package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import hauberk.contexts._

/** Takes writes of the register of owners. A page of memory and an SPID become a change of the table, which waits until no other master has a request in
  * flight, and lets none begin; or a question, which changes nothing. All of these look the page's owner up first. A page that is given must be nobody's. A page
  * that is released or asked for must be the context's. All else is refused, and so are pages and SPIDs that do not exist. A refused write changes nothing.
  *
  * @param usable addresses of pages
  */
private[contexts] class OwnerControl(p: ContextParams, memory: OwnedMemory, usable: Seq[AddressSet]) extends Module {
  val io = IO(new Bundle {
    val written = Flipped(Decoupled(UInt(64.W)))

    /** The register as it reads: the last write, with its result. So software tells a write that never came here from one that did. */
    val shown = Output(UInt(64.W))

    /** The last write has not taken effect yet. */
    val busy = Output(Bool())
    val change = Decoupled(new Ownership(p))

    /** The page's owner until then. */
    val before = new OwnerLookup(p)

    /** Other masters have no request in flight. */
    val quiet = Input(Bool())
  })
  private val spid = ContextMap.ownerSpid.of(io.written.bits)
  private val address = Cat(ContextMap.ownerPage.of(io.written.bits), 0.U(ContextParams.pageBits.W))
  private val exists =
    usable.map(_.contains(address)).foldLeft(false.B)(_ || _) && spid =/= 0.U && spid <= p.contexts.U
  private val refused, busy, asked, agreed = RegInit(false.B)
  private val word = RegInit(0.U(64.W))
  private val releases = ContextMap.release.of(word).asBool
  private val asks = ContextMap.ask.of(word).asBool
  private val page = Reg(UInt(p.pageNumberBits.W))
  io.written.ready := !busy
  when(io.written.valid && io.written.ready) {
    refused := !exists
    busy := exists
    agreed := false.B
    word := io.written.bits
    page := memory.pageOf(address)
  }
  private val above = ContextMap.busy.high + 1
  io.shown := Cat(word(63, above), busy, refused, word(ContextMap.refused.low - 1, 0))
  io.busy := busy
  io.before.page.valid := busy && !agreed && !asked
  io.before.page.bits := page
  asked := io.before.page.valid && io.before.page.ready
  private val expected = Mux(releases || asks, ContextMap.ownerSpid.of(word), 0.U)
  when(asked) {
    val agrees = io.before.owner === p.kept(expected)
    agreed := agrees
    busy := agrees && !asks
    refused := !agrees
  }
  // They begin none while it is busy
  private val still = RegNext(busy && io.quiet, false.B)
  io.change.valid := busy && agreed && still
  io.change.bits.page := page
  io.change.bits.owner := Mux(releases, 0.U, ContextMap.ownerSpid.of(word))
  when(io.change.valid && io.change.ready) { busy := false.B }
}
