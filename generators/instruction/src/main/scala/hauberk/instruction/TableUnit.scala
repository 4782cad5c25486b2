package hauberk.instruction

import chisel3._
import chisel3.util._

/** A mapping on its way into a [[TableUnit]]: a page, the slot of its key, or 0 to free the entry, and its ancillary data. */
class PageMapping(val p: EmuParams) extends Bundle {
  // Wider than the largest index, so that an index out of range can be told
  val index = UInt(PageMapping.numberBits.W)
  val page = UInt(p.pageNumberBits.W)
  val slot = UInt(PageMapping.numberBits.W)
  val ancillary = UInt(128.W)
}

/** Numbers of slots and indices as software writes them. */
object PageMapping {

  /** Width of an index or slot as software says it. */
  val numberBits: Int = 16

  /** An index or slot from a word of software; a value that does not fit is out of range. */
  private[hauberk] def number(data: UInt): UInt = {
    val most = (BigInt(1) << numberBits) - 1
    Mux((data >> numberBits).orR, most.U, data(numberBits - 1, 0))
  }
}

/** State of a page: combinational.
  *
  * `encrypted` if it is mapped to a slot, by the entry `index`; `refused` if it is, and must not be fetched now: its slot has no key, or another than
  * when the page was mapped, or the instruction cache was not flushed since.
  */
class PageSearch(val p: EmuParams) extends Bundle {
  val page = Output(UInt(p.pageNumberBits.W))
  val encrypted = Input(Bool())
  val refused = Input(Bool())
  val index = Input(UInt(p.indexBits.W))
  val slot = Input(UInt(p.slotBits.W))
  val ancillary = Input(UInt(128.W))
}

/** Changes after this cycle: a written entry, the key of a slot. */
class TableChange(val p: EmuParams) extends Bundle {
  val mapping = Bool()
  val index = UInt(p.indexBits.W)
  val key = Bool()
  val slot = UInt(p.slotBits.W)

  /** A look-up that used this entry, or this slot's key, must not go on. */
  def concerns(foundBy: UInt, underKeyOf: UInt): Bool =
    (mapping && index === foundBy) || (key && slot === underKeyOf)
}

/** From a page to the slot of its key and its ancillary data (section III-B): a content-addressable memory from page to index, and two memories
  * from index to slot and to ancillary data. Write-only but for the searches. The keys themselves are beside the ciphers
  * ([[hauberk.crypto.KeyTable]]), and on no port.
  *
  * A mapping is written in one cycle, or refused with an error and nothing changed. From it on until `flushed` the page is refused, since the
  * instruction cache may hold what it was under another mapping, or under none; `changed` says what of the fetches under way is, too. Other pages
  * are not concerned. A slot that gets a new key leaves the pages mapped to it refused until they are mapped again.
  *
  * With fault checks ([[hauberk.fault]]) a flip in ancillary data is corrected. One in another part of an entry has its page refused; if the page
  * or the slot is not known any more, every page is, until the entry is written.
  *
  * @param searches ports that are searched at the same time
  */
class TableUnit(val p: EmuParams, searches: Int) extends Module {
  val io = IO(new Bundle {
    val mapping = Flipped(Valid(new PageMapping(p)))

    /** Result of the mapping, in its cycle. */
    val error = Output(UInt(EmuError.width.W))

    /** The key of this slot has changed. */
    val rekeyed = Flipped(Valid(UInt(p.slotBits.W)))
    val usable = Input(Vec(p.keySlots, Bool()))

    /** The instruction cache becomes empty with the end of this cycle. */
    val flushed = Input(Bool())
    val stale = Output(Bool())
    val changed = Output(new TableChange(p))
    val search = Vec(searches, Flipped(new PageSearch(p)))
  })
  private val code = p.faults.tags
  private val flag = p.faults.flags
  private val keptPage = Reg(Vec(p.pages, UInt(code.width(p.pageNumberBits).W)))
  private val keptSlot = RegInit(VecInit(Seq.fill(p.pages)(0.U(code.width(p.slotBits).W))))
  private val pages = keptPage.map(code.decode(_, p.pageNumberBits))
  private val slots = keptSlot.map(code.decode(_, p.slotBits))
  private val page = pages.map(_.data)
  private val slot = slots.map(_.data)

  /** A page or slot is not known any more. */
  private val faulty =
    pages.zip(slots).zip(keptSlot).map { case ((page, slot), kept) => slot.faulty || (page.faulty && kept =/= 0.U) }
      .reduce(_ || _)

  /** The slot still has the key it had when the page was mapped. */
  private val current = Reg(Vec(p.pages, flag.register))
  private val ancillary = Mem(p.pages, UInt(p.faults.words.width(128).W))

  /** The instruction cache was not flushed since the entry was written. */
  private val stale = RegInit(VecInit(Seq.fill(p.pages)(flag.clear)))
  private def isStale(i: Int): Bool = flag.isSet(stale(i), safe = true)

  private val asked = io.mapping.bits
  private val index = asked.index(p.indexBits - 1, 0)
  private val newSlot = asked.slot(p.slotBits - 1, 0)
  private val elsewhere = (0 until p.pages).map { i =>
    slot(i) =/= 0.U && page(i) === asked.page && index =/= i.U
  }.reduce(_ || _)
  private val frees = newSlot === 0.U
  io.error := Mux(
    asked.index >= p.pages.U,
    EmuError.badIndex.U,
    Mux(
      asked.slot >= p.keySlots.U,
      EmuError.badSlot.U,
      Mux(
        frees,
        EmuError.none.U,
        Mux(elsewhere, EmuError.duplicatePage.U, Mux(!io.usable(newSlot), EmuError.noKey.U, EmuError.none.U))
      )
    )
  )
  private val writes = io.mapping.valid && io.error === EmuError.none.U
  when(io.rekeyed.valid) {
    for (i <- 0 until p.pages) { when(slot(i) === io.rekeyed.bits) { current(i) := flag.clear } }
  }
  when(writes) {
    keptPage(index) := code.encode(asked.page)
    keptSlot(index) := code.encode(newSlot)
    current(index) := flag(!(io.rekeyed.valid && io.rekeyed.bits === newSlot))
    ancillary.write(index, p.faults.words.encode(asked.ancillary))
  }
  io.changed.mapping := writes
  io.changed.index := index
  io.changed.key := io.rekeyed.valid
  io.changed.slot := io.rekeyed.bits
  when(io.flushed) { stale.foreach(_ := flag.clear) }
  when(writes) { stale(index) := flag.set }
  io.stale := (0 until p.pages).map(isStale).reduce(_ || _)

  for (port <- io.search) {
    val hits = (0 until p.pages).map(i => slot(i) =/= 0.U && page(i) === port.page)
    val found = Mux1H(hits, slot)
    val stored = p.faults.words.decode(ancillary.read(OHToUInt(hits)), 128)
    port.encrypted := hits.reduce(_ || _) || faulty
    port.slot := found
    port.index := OHToUInt(hits)
    port.ancillary := stored.data
    // In the cycle of a flush, too, a fetch may begin that fills the empty cache
    port.refused := port.encrypted &&
      ((Mux1H(hits, (0 until p.pages).map(isStale)) && !io.flushed) || io.changed.concerns(port.index, found) ||
        !io.usable(found) || !Mux1H(hits, current.map(flag.isSet(_, safe = false))) || faulty || stored.faulty)
  }
}
