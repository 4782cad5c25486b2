package hauberk.contexts

import chisel3._
import chisel3.util._

/** A page of memory, by its number from the first page on, and the SPID of its owner, or 0 if it is nobody's. */
class Ownership(val p: ContextParams) extends Bundle {
  val page = UInt(p.pageNumberBits.W)
  val owner = UInt(p.spidBits.W)
}

/** Asks the table for a page's owner: the answer comes in the cycle after the request is taken, as the owner is [[ContextParams.kept kept]]. */
class OwnerLookup(val p: ContextParams) extends Bundle {
  val page = Decoupled(UInt(p.pageNumberBits.W))
  val owner = Input(UInt(p.ownerBits.W))
}

/** The owner of each page of memory. After reset all pages are nobody's: the table is cleared row by row, and meanwhile takes no change.
  *
  * A change goes before all look-ups of its cycle. An answer that comes in the cycle of a change is what was true before it.
  *
  * @param ports that ask
  */
class PageOwners(val p: ContextParams, ports: Int) extends Module {
  val io = IO(new Bundle {
    val change = Flipped(Decoupled(new Ownership(p)))
    val lookup = Vec(ports, Flipped(new OwnerLookup(p)))
  })
  private val perRow = ContextParams.pagesOfRow
  private val rows = p.pages / perRow
  private val placeBits = log2Ceil(perRow)
  private def rowOf(page: UInt): UInt = if (rows == 1) 0.U else page >> placeBits
  private def placeOf(page: UInt): UInt = page(placeBits - 1, 0)
  private val table = SyncReadMem(rows, Vec(perRow, UInt(p.ownerBits.W)))

  private val clearing = RegInit(true.B)
  private val row = RegInit(0.U(log2Ceil(rows).max(1).W))
  when(clearing) {
    row := row + 1.U
    when(row === (rows - 1).U) { clearing := false.B }
  }

  io.change.ready := !clearing
  private val changes = io.change.valid && io.change.ready
  when(clearing || changes) {
    table.write(
      Mux(clearing, row, rowOf(io.change.bits.page)),
      VecInit(Seq.fill(perRow)(Mux(clearing, 0.U, p.kept(io.change.bits.owner)))),
      UIntToOH(placeOf(io.change.bits.page), perRow).asBools.map(_ || clearing)
    )
  }

  private val asked = Module(new RRArbiter(UInt(p.pageNumberBits.W), ports))
  asked.io.in.zip(io.lookup).foreach { case (in, lookup) => in <> lookup.page }
  asked.io.out.ready := !changes
  private val read = table.read(rowOf(asked.io.out.bits), asked.io.out.valid && asked.io.out.ready)
  private val place = RegNext(placeOf(asked.io.out.bits))
  // Nobody's, as long as nothing was written since the table was cleared
  private val blank = RegNext(clearing, true.B)
  io.lookup.foreach(_.owner := Mux(blank, 0.U, read(place)))
}
