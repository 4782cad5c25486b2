package hauberk.contexts

import chisel3._
import chisel3.util._

/** The owners of the pages that a port accessed last. A page that it knows is answered in the same cycle; another is asked of the table, which takes
  * two cycles and those in which other ports are served. A change of the table voids all.
  */
class OwnerCache(val p: ContextParams) extends Module {
  val io = IO(new Bundle {
    val page = Flipped(Valid(UInt(p.pageNumberBits.W)))
    val known = Output(Bool())
    val owner = Output(UInt(p.spidBits.W))
    val table = new OwnerLookup(p)

    /** The table changes with the end of this cycle. */
    val changed = Input(Bool())
  })
  private val valid = RegInit(VecInit(Seq.fill(p.owners)(false.B)))
  private val entries = Reg(Vec(p.owners, new Ownership(p)))
  private val hits = valid.zip(entries).map { case (there, entry) => there && entry.page === io.page.bits }
  io.known := hits.reduce(_ || _)
  io.owner := Mux1H(hits, entries.map(_.owner))

  private val asked = RegInit(false.B)
  private val page = Reg(UInt(p.pageNumberBits.W))
  io.table.page.valid := io.page.valid && !io.known && !asked
  io.table.page.bits := io.page.bits
  private val asks = io.table.page.valid && io.table.page.ready
  asked := asks
  when(asks) { page := io.page.bits }

  private val next = RegInit(0.U(log2Ceil(p.owners).max(1).W))
  when(asked) { next := Mux(next === (p.owners - 1).U, 0.U, next + 1.U) }
  for (i <- 0 until p.owners) when(asked && next === i.U) {
    valid(i) := true.B
    entries(i).page := page
    entries(i).owner := io.table.owner
  }
  when(io.changed) { valid.foreach(_ := false.B) }
}
