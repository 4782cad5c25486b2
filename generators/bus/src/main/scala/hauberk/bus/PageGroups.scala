package hauberk.bus

import chisel3._
import chisel3.util._

/** An entry of the table of pages' groups: 2^size bytes, from a page on, are of a group. */
class PageRange(val p: BusParams) extends Bundle {
  val group = UInt(p.gidBits.W)

  /** Log2 of its bytes; 0 if the entry names no page. */
  val size = UInt(PageRange.sizeBits.W)

  /** Number of its first page, a multiple of its pages. */
  val page = UInt(PageRange.pageBits.W)
}

/** Limits of an entry. */
object PageRange {

  /** Log2 of a page's bytes. */
  val lgPage = 12
  val pageBits = 44
  val sizeBits = 6

  /** Bits of a page's number that tell the pages of an entry of this size apart. */
  def inside(size: UInt): UInt = {
    val pages = (1.U((pageBits + 1).W) << (size - lgPage.U)(sizeBits - 1, 0))(pageBits, 0)
    (pages - 1.U)(pageBits - 1, 0)
  }

  /** An entry can have this size, and begin at this page. */
  def fits(size: UInt, page: UInt): Bool =
    size >= lgPage.U && size <= (lgPage + pageBits).U && (page & inside(size)) === 0.U
}

/** The table of pages' groups (section 4.1): the group of a message is that of the page that it is about. Of entries that name the same page the
  * first counts; a page that none names is of group 0. Each member has the same table.
  */
class PageGroups(val ranges: Seq[PageRange]) {
  private val checked = ranges.map(range => ~PageRange.inside(range.size))

  def of(address: UInt): UInt = {
    val page = address >> PageRange.lgPage
    ranges.zip(checked).foldRight(0.U(ranges.head.group.getWidth.W)) { case ((range, bits), others) =>
      Mux(range.size =/= 0.U && ((page ^ range.page) & bits) === 0.U, range.group, others)
    }
  }
}
