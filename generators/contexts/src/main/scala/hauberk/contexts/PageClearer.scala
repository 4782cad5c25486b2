package hauberk.contexts

import chisel3._
import chisel3.util._

/** Asks for a line of zeros, `slot` its name until it is written. */
class ClearedLine(val lineNumberBits: Int, val slots: Int) extends Bundle {
  val line = UInt(lineNumberBits.W)
  val slot = UInt(log2Ceil(slots).W)
}

/** A page to clear. */
class ClearedPage(val pageNumberBits: Int) extends Bundle {
  val page = UInt(pageNumberBits.W)

  /** One line at a time, for the sake of others that access memory. */
  val slowly = Bool()
}

/** Tells that a line is written, or that memory refused it. */
class WrittenLine(val slots: Int) extends Bundle {
  val slot = UInt(log2Ceil(slots).W)
  val failed = Bool()
}

/** Writes zeros over pages of memory, one page at a time, in lines of 64 bytes: one beat of eight bytes in each cycle, if memory writes `slots` lines in
  * `8 * slots` cycles. The next page waits until all lines are written.
  *
  * @param pageNumberBits width of the number of a page, its address divided by 4096
  * @param slots          lines under way: a power of two, 2 at least
  */
class PageClearer(pageNumberBits: Int, slots: Int = PageClearer.slots) extends Module {
  require(slots > 1 && isPow2(slots), s"$slots slots for lines to clear: give it a power of two, 2 at least")
  private val lgLines = ContextParams.pageBits - log2Ceil(RangeHasher.lineBytes)
  val io = IO(new Bundle {
    val page = Flipped(Decoupled(new ClearedPage(pageNumberBits)))

    /** A beat of a line; all beats of a line come one behind the other, with the same slot. */
    val beat = Decoupled(new ClearedLine(pageNumberBits + lgLines, slots))
    val written = Flipped(Valid(new WrittenLine(slots)))

    /** Pages that are cleared, modulo 2^16. One of which memory refused a line does not count. */
    val cleared = Output(UInt(16.W))
  })
  private val page = Reg(new ClearedPage(pageNumberBits))

  /** The next one to write; behind the last one there is none. */
  private val line = RegInit((1 << lgLines).U((lgLines + 1).W))
  private val position = RegInit(0.U(log2Ceil(RangeHasher.beats).W))
  private val slot = RegInit(0.U(log2Ceil(slots).W))
  private val underWay = RegInit(VecInit(Seq.fill(slots)(false.B)))
  private val works, failed = RegInit(false.B)
  private val cleared = RegInit(0.U(16.W))
  private def fires[T <: Data](port: DecoupledIO[T]): Bool = port.valid && port.ready
  private val left = !line(lgLines)

  private val quiet = !underWay.reduce(_ || _)
  io.page.ready := !works
  io.beat.valid := left && (position =/= 0.U || Mux(page.slowly, quiet, !underWay(slot)))
  io.beat.bits.line := Cat(page.page, line(lgLines - 1, 0))
  io.beat.bits.slot := slot
  when(io.written.valid) {
    underWay(io.written.bits.slot) := false.B
    when(io.written.bits.failed) { failed := true.B }
  }
  when(fires(io.beat)) {
    // Memory may answer with the last beat, but not before the first
    when(position === 0.U) { underWay(slot) := true.B }
    position := position + 1.U
    when(position.andR) {
      slot := slot + 1.U
      line := line + 1.U
    }
  }
  when(fires(io.page)) {
    page := io.page.bits
    line := 0.U
    works := true.B
    failed := false.B
  }
  when(works && !left && quiet) {
    works := false.B
    when(!failed) { cleared := cleared + 1.U }
  }
  io.cleared := cleared
}

object PageClearer {

  /** Lines under way, unless another number is given. */
  val slots: Int = 4
}
