package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.bus._

/** The groups of the pages of what passes a tile's edge: a request, a probe, and what leaves. */
private[tilelink] class PageGroupsOf(val pads: PadParams) extends Bundle {
  val asks, asked, begins = UInt(pads.groupBits.W)
}

/** Joins one edge of a tile to its encryption for memory ([[hauberk.bus.TilePads]], SENSS section 6.1): lines that leave for memory are
  * encrypted before the shared bus's units see them, and lines that come from there are decrypted behind these.
  *
  * Messages keep their order within a channel. Those without data, and those of other addresses, pass in no cycle; so do lines whose pad is
  * ready. Pads are begun as soon as it is known that one may be needed: for a line that is asked for, when the request leaves; for one that
  * leaves, when its first beat comes, or a probe. A pad is under the key of the group of the line's message, which is that of its page.
  *
  * @param memory the memory that the tile encrypts, from block 0 on
  */
private[tilelink] class TLTilePads(val p: BusParams, edge: TLEdgeIn, memory: AddressSet) extends Module {
  private val pads = p.pads.get
  val io = IO(new Bundle {

    /** What the tile asks for and is asked, in the cycle in which that passes; and what it begins to send. The groups of their pages. */
    val asks = Flipped(Valid(new TLBundleA(edge.bundle)))
    val asked = Flipped(Valid(new TLBundleB(edge.bundle)))
    val begins = Flipped(Valid(new TLBundleC(edge.bundle)))
    val groups = Input(new PageGroupsOf(pads))

    val leaving = Flipped(Decoupled(new BusMessage(p)))
    val left = Decoupled(new BusMessage(p))
    val coming = Flipped(Decoupled(new BusMessage(p)))
    val come = Decoupled(new BusMessage(p))

    val encrypt = Decoupled(new PadWork(pads, p.lineBits))
    val encrypted = Flipped(Decoupled(UInt(p.lineBits.W)))
    val decrypt = Decoupled(new PadWork(pads, p.lineBits))
    val decrypted = Flipped(Decoupled(UInt(p.lineBits.W)))
    val expectEncryption = Valid(new PadPlace(pads))
    val expectDecryption = Valid(new PadPlace(pads))
  })
  private def block(address: UInt): UInt = (address >> log2Ceil(p.lineBytes))(pads.blockBits - 1, 0)

  // A line that leaves: its ciphertext takes its place
  private val c = Wire(new TLBundleC(edge.bundle))
  c := 0.U.asTypeOf(c)
  TLCommand.unpack(io.leaving.bits.command, c)
  private val hides = io.leaving.bits.beats =/= 0.U && memory.contains(c.address)
  private val inWork = RegInit(false.B)
  io.encrypt.valid := io.leaving.valid && hides && !inWork
  io.encrypt.bits.place.block := block(c.address)
  io.encrypt.bits.place.group := io.leaving.bits.group
  io.encrypt.bits.data := io.leaving.bits.data
  when(io.encrypt.valid && io.encrypt.ready) { inWork := true.B }
  io.left.valid := Mux(hides, inWork && io.encrypted.valid, io.leaving.valid)
  io.left.bits := io.leaving.bits
  when(hides) { io.left.bits.data := io.encrypted.bits }
  io.encrypted.ready := inWork && io.left.ready
  io.leaving.ready := io.left.ready && (!hides || (inWork && io.encrypted.valid))
  when(io.leaving.valid && io.leaving.ready) { inWork := false.B }

  // The requester of an incoming line knew its address
  private val a = io.asks.bits
  private val requests = 1 << a.source.getWidth
  private val inMemory = Reg(Vec(requests, Bool()))
  private val blocks = Reg(Vec(requests, UInt(pads.blockBits.W)))
  when(io.asks.valid) {
    inMemory(a.source) := memory.contains(a.address)
    blocks(a.source) := block(a.address)
  }
  private val d = Wire(new TLBundleD(edge.bundle))
  d := 0.U.asTypeOf(d)
  TLCommand.unpack(io.coming.bits.command, d)
  private val shows = io.coming.bits.beats =/= 0.U && inMemory(d.source)
  io.decrypt.valid := io.coming.valid && shows
  io.decrypt.bits.place.block := blocks(d.source)
  io.decrypt.bits.place.group := io.coming.bits.group
  io.decrypt.bits.data := io.coming.bits.data
  io.come.valid := Mux(shows, io.decrypted.valid, io.coming.valid)
  io.come.bits := io.coming.bits
  when(shows) { io.come.bits.data := io.decrypted.bits }
  io.decrypted.ready := io.come.ready
  io.coming.ready := Mux(shows, io.decrypt.ready, io.come.ready)

  private val bringsData = a.opcode === TLMessages.AcquireBlock || a.opcode === TLMessages.Get
  io.expectDecryption.valid := io.asks.valid && bringsData && memory.contains(a.address)
  io.expectDecryption.bits.block := block(a.address)
  io.expectDecryption.bits.group := io.groups.asks
  private val sends = io.begins.valid && edge.hasData(io.begins.bits) && memory.contains(io.begins.bits.address)
  private val mightSend = io.asked.valid && memory.contains(io.asked.bits.address)
  io.expectEncryption.valid := sends || mightSend
  io.expectEncryption.bits.block := block(Mux(sends, io.begins.bits.address, io.asked.bits.address))
  io.expectEncryption.bits.group := Mux(sends, io.groups.begins, io.groups.asked)
}
