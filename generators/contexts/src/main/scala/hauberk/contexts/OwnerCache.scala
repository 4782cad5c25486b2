package hauberk.contexts

import chisel3._
import chisel3.util._

/** The owners of the pages that a port accessed last. A page that it knows is answered in the same cycle; another is asked of the table, which takes
  * two cycles and those in which other ports are served. A change of the table voids all. With fault checks, a flip in what it knows makes it ask
  * again, or gives an owner that is nobody.
  */
class OwnerCache(val p: ContextParams) extends Module {
  val io = IO(new Bundle {
    val page = Flipped(Valid(UInt(p.pageNumberBits.W)))
    val known = Output(Bool())

    /** As it is [[ContextParams.kept kept]]. */
    val owner = Output(UInt(p.ownerBits.W))
    val table = new OwnerLookup(p)

    /** The table changes with the end of this cycle. */
    val changed = Input(Bool())
  })
  private val flag = p.faults.flags
  private val code = p.faults.tags
  private val valid = RegInit(VecInit(Seq.fill(p.owners)(flag.clear)))
  private val pages = Reg(Vec(p.owners, UInt(code.width(p.pageNumberBits).W)))
  private val owners = Reg(Vec(p.owners, UInt(p.ownerBits.W)))
  private val hits =
    valid.zip(pages).map { case (there, page) => flag.isSet(there, safe = false) && page === code.encode(io.page.bits) }
  io.known := hits.reduce(_ || _)
  io.owner := Mux1H(hits, owners)

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
    valid(i) := flag.set
    pages(i) := code.encode(page)
    owners(i) := io.table.owner
  }
  when(io.changed) { valid.foreach(_ := flag.clear) }
}
