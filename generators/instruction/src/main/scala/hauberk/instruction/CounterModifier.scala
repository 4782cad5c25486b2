package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** Counter mode decryption (section III-A.2): a word is XORed with its part of the pad as it arrives.
  *
  * The pad of the n-th 16 bytes of a page is AES of the page's ancillary data, whose last eight bits are n instead: so no pad repeats
  * if no two pages of a key have ancillary data alike in the other 120. It is made while memory works, a block a cycle, the first 11 cycles after
  * the request, and `extraLatency` later; the paper's FIFO is whoever waits with `valid`. Beats pass in the cycle in which they come, if their pad is there.
  */
class CounterModifier(p: EmuParams) extends Modifier(p) {
  private val aes = AesParams(
    128,
    AesDirection.Encrypt,
    extraLatency = p.extraLatency,
    tagBits = p.idBits + p.aesBlockBits,
    datapath = p.aesDatapath
  )
  private val cipher = Module(new AesCipher(aes, p.keySlots, p.faults))
  cipher.io.keyWrite := io.keys.write
  cipher.io.zeroize := io.keys.zeroize
  io.keys.usable := cipher.io.usable

  private def flags() = RegInit(VecInit(Seq.fill(p.ids)(false.B)))
  private def fields[T <: Data](t: T) = Reg(Vec(p.ids, t))
  private val valid, encrypted, refused = flags()
  private val request = fields(new FetchRequest(p))
  private val entry = fields(UInt(p.indexBits.W))
  private val slot = fields(UInt(p.slotBits.W))
  private val base = fields(UInt(128.W))

  /** By block of the line: its pad is to be asked for; was asked for and has not come. */
  private val wanted, awaited = RegInit(VecInit(Seq.fill(p.ids)(0.U(p.aesBlocks.W))))
  private val beat = fields(UInt(p.beatIndexBits.W))

  /** The last beat went; pads are still to come. */
  private val over = flags()
  private val pads = Mem(p.ids * p.aesBlocks, UInt(128.W))
  private def padIndex(id: UInt, aesBlock: UInt): UInt = if (p.aesBlocks == 1) id else Cat(id, aesBlock)

  // Request
  private val newId = p.place(io.processor.request.bits.id)
  private val starts = Modifier.request(io, valid(newId))
  private val fetch = io.processor.request.bits

  // Pads: of the first fetch that wants one, whose key is still there
  private val asks = (0 until p.ids).map(i => wanted(i).orR && !refused(i))
  private val who = PriorityEncoder(asks)
  private val which = PriorityEncoder(wanted(who))
  cipher.io.request.valid := asks.reduce(_ || _)
  cipher.io.request.bits.block := Cat(
    base(who)(127, EmuParams.blockBits),
    CounterModifier.block(p, request(who), which)
  )
  cipher.io.request.bits.slot := slot(who)
  cipher.io.request.bits.decrypt := false.B
  cipher.io.request.bits.tag := Cat(who, which.pad(p.aesBlockBits)(p.aesBlockBits - 1, 0))
  private val asked = cipher.io.request.valid && cipher.io.request.ready
  cipher.io.response.ready := true.B
  private val made = cipher.io.response
  private val madeId = p.place(made.bits.tag(p.idBits + p.aesBlockBits - 1, p.aesBlockBits))
  private val madeAesBlock = if (p.aesBlocks == 1) 0.U else made.bits.tag(p.aesBlockBits - 1, 0)
  when(made.valid) { pads.write(padIndex(madeId, madeAesBlock), MemoryOrder.reversed(made.bits.block)) }

  // Beats
  private val id = p.place(io.memory.beat.bits.id)
  private val place = request(id).firstBeat | beat(id)
  private val aesBlock = CounterModifier.aesBlockOf(p, place)
  private val pad = pads.read(padIndex(id, aesBlock))
  private val word =
    if (p.beatBytes == 16) pad
    else
      VecInit((0 until 16 / p.beatBytes).map(i => pad((i + 1) * p.beatBits - 1, i * p.beatBits)))(place(
        log2Ceil(16 / p.beatBytes) - 1,
        0
      ))
  private val known = valid(id) && !over(id)
  private val opaque = !encrypted(id) || refused(id)
  private val hasPad = !((wanted(id) | awaited(id)) >> aesBlock)(0)
  private val passes = known && (opaque || hasPad)
  io.processor.beat.valid := io.memory.beat.valid && passes
  io.memory.beat.ready := io.processor.beat.ready && passes
  io.processor.beat.bits.id := io.memory.beat.bits.id
  io.processor.beat.bits.denied := io.memory.beat.bits.denied || refused(id)
  io.processor.beat.bits.data := Mux(
    io.processor.beat.bits.denied,
    0.U,
    io.memory.beat.bits.data ^ Mux(encrypted(id), word, 0.U)
  )
  private val goes = io.processor.beat.valid && io.processor.beat.ready
  private val ends = goes && place === request(id).lastBeat

  // Books
  for (i <- 0 until p.ids) {
    val asksNow = Mux(asked && who === i.U, UIntToOH(which, p.aesBlocks), 0.U)
    val comesNow = Mux(made.valid && madeId === i.U, UIntToOH(madeAesBlock, p.aesBlocks), 0.U)
    awaited(i) := (awaited(i) | asksNow) & (~comesNow).asUInt
    wanted(i) := wanted(i) & (~asksNow).asUInt
    when(goes && id === i.U) { beat(i) := beat(i) + 1.U }
    // A key that is gone, or about to be another: what has gone is of the old one, and nothing goes under the new one
    when(valid(i) && encrypted(i) && (io.changed.concerns(entry(i), slot(i)) || !io.keys.usable(slot(i)))) {
      refused(i) := true.B
      wanted(i) := 0.U
    }
    when(ends && id === i.U) { over(i) := true.B }
    when(over(i) && !awaited(i).orR) { valid(i) := false.B }
  }
  // The cycle after the last beat is as early as a processor can ask again
  when(ends && !awaited(id).orR) { valid(id) := false.B }
  when(starts) {
    valid(newId) := true.B
    over(newId) := false.B
    request(newId) := fetch
    encrypted(newId) := io.search.encrypted
    refused(newId) := io.search.refused
    entry(newId) := io.search.index
    slot(newId) := io.search.slot
    base(newId) := io.search.ancillary
    wanted(newId) := Mux(io.search.encrypted && !io.search.refused, fetch.blocks, 0.U)
    awaited(newId) := 0.U
    beat(newId) := 0.U
  }
}

/** Places of 16-byte blocks within a page and within a line. */
private[instruction] object CounterModifier {

  /** Which 16 bytes of the page a block of the line is. */
  def block(p: EmuParams, request: FetchRequest, aesBlock: UInt): UInt =
    if (p.aesBlocks == 1) request.address(EmuParams.pageBits - 1, 4)
    else Cat(request.address(EmuParams.pageBits - 1, log2Ceil(p.lineBytes)), aesBlock(p.aesBlockBits - 1, 0))

  /** Which block of the line a beat is in. */
  def aesBlockOf(p: EmuParams, beat: UInt): UInt =
    if (p.aesBlocks == 1) 0.U else beat >> log2Ceil(16 / p.beatBytes)
}
