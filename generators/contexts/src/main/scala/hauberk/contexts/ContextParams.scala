package hauberk.contexts

import chisel3._
import chisel3.util.log2Ceil
import hauberk.fault.{FaultChecks, NoFaultChecks}

/** Secure contexts of programs (AEGIS, section 3).
  *
  * @param contexts contexts at a time, 1 to 255: their SPIDs are 1 to this number. SPID 0 is all that is in no context
  * @param pages    pages of memory that can have an owner, each of 4 KiB; a power of two of 16 or more
  * @param owners   pages whose owner a port knows without asking the table, 1 to 64
  * @param faults   faults inside the chip that the table and its ports notice
  */
case class ContextParams(
    contexts: Int = 8,
    pages: Int = 1 << 16,
    owners: Int = 8,
    faults: FaultChecks = NoFaultChecks
) {
  require(contexts >= 1 && contexts <= 255, s"$contexts secure contexts: choose 1 to 255")
  require(
    pages >= ContextParams.pagesOfRow && pages <= ContextParams.mostPages && BigInt(pages).bitCount == 1,
    s"a table on the chip of the owners of $pages pages: choose a power of two, ${ContextParams.pagesOfRow} to ${ContextParams.mostPages}, which is " +
      "64 KiB to 4 GiB of memory"
  )
  require(owners >= 1 && owners <= 64, s"the owners of $owners pages at a port: choose 1 to 64")

  val spidBits: Int = log2Ceil(contexts + 1)
  val pageNumberBits: Int = log2Ceil(pages)

  /** Width of an owner as it is kept. */
  val ownerBits: Int = faults.tags.width(spidBits)

  /** An owner as it is kept, nobody as 0. With fault checks, a word with a flip is no owner's, and not 0. */
  def kept(spid: UInt): UInt = faults.tags.encode((spid | 0.U(spidBits.W))(spidBits - 1, 0))
}

/** What all have in common. */
object ContextParams {

  /** A page has 4 KiB: RISC-V's smallest, and the unit that an operating system gives away and takes back. */
  val pageBits: Int = 12

  /** Pages of a row of the table: what is cleared after reset in a cycle. */
  val pagesOfRow: Int = 16

  /** Pages of the largest table: half a MiB of RAM with eight contexts. */
  val mostPages: Int = 1 << 20
}
