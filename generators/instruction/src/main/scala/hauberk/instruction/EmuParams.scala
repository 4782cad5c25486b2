package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto.AesDatapath
import hauberk.fault.{FaultChecks, NoFaultChecks}

/** How pages are encrypted (section III-A).
  *
  * @param name name for users and in descriptions of SoCs
  * @param code code for software and in the notes of sealed programs
  */
sealed abstract class DecryptionMode(val name: String, val code: Int)

/** The two modes of the paper: direct decryption and counter mode. */
object DecryptionMode {

  /** III-A.1: every block is deciphered under the page's key, when the whole transfer is there.
    *
    * @param cores ciphers side by side, a power of two; the paper has two for a line of 32 bytes
    */
  case class Direct(cores: Int = 4) extends DecryptionMode("direct", 2)

  /** III-A.2: a pad of the page's key, its ancillary data and the place in the page, made while memory works. */
  case object Counter extends DecryptionMode("counter", 1)

  /** One of each, for whom only name and code count. */
  val all: Seq[DecryptionMode] = Seq(Counter, Direct())

  /** The one of that name in [[all]]. */
  def named(name: String): Option[DecryptionMode] = all.find(_.name == name)
}

/** An encryption management unit (Mahar et al., SecSoft EMU).
  *
  * @param mode         mode of the one modifier of its chain
  * @param pages        entries of the content-addressable memory, 1 to 256
  * @param keySlots     slots of the key table, slot 0, which means "not encrypted", included; 2 to 64
  * @param addressBits  width of a physical address
  * @param lineBytes    most data of a fetch, a power of two of 16 or more
  * @param beatBytes    data of a beat, a power of two, 16 at most
  * @param ids          fetches in flight that the processor tells apart, 1 to 8
  * @param extraLatency cycles added to AES, whose rounds take ten: the paper's core has 12
  * @param aesDatapath  what computes the blocks of its ciphers
  * @param faults       faults inside the chip that its table of pages notices
  */
case class EmuParams(
    mode: DecryptionMode = DecryptionMode.Counter,
    pages: Int = 16,
    keySlots: Int = 8,
    addressBits: Int = 32,
    lineBytes: Int = 64,
    beatBytes: Int = 8,
    ids: Int = 1,
    extraLatency: Int = 0,
    aesDatapath: AesDatapath = AesDatapath.Rounds,
    faults: FaultChecks = NoFaultChecks
) {
  require(pages >= 1 && pages <= 256, s"a table of $pages pages: choose 1 to 256")
  require(
    keySlots >= 2 && keySlots <= 64,
    s"a key table of $keySlots slots, slot 0 of which holds no key: choose 2 to 64"
  )
  require(
    addressBits > EmuParams.pageBits && addressBits <= 64,
    s"physical addresses of $addressBits bits: choose 13 to 64"
  )
  require(
    isPow2(lineBytes) && lineBytes >= 16 && lineBytes <= 256,
    s"lines of $lineBytes bytes: choose a power of two, 16 to 256"
  )
  require(
    isPow2(beatBytes) && beatBytes <= 16,
    s"beats of $beatBytes bytes: choose a power of two of at most 16, a block of the cipher"
  )
  require(ids >= 1 && ids <= 8, s"$ids fetches in flight: choose 1 to 8")
  require(extraLatency >= 0, s"$extraLatency cycles added to AES: choose 0 or more")
  mode match {
    case DecryptionMode.Direct(cores) =>
      require(
        isPow2(cores) && cores <= lineBytes / 16,
        s"$cores ciphers for the ${lineBytes / 16} blocks of a line: choose a power of two that is no larger"
      )
    case DecryptionMode.Counter =>
  }

  val pageNumberBits: Int = addressBits - EmuParams.pageBits
  val indexBits: Int = log2Ceil(pages).max(1)
  val slotBits: Int = log2Ceil(keySlots)
  val idBits: Int = log2Ceil(ids).max(1)
  val sizeBits: Int = log2Ceil(log2Ceil(lineBytes) + 1)
  val beatBits: Int = beatBytes * 8

  /** Index of a fetch in the state kept for each. */
  private[hauberk] def place(id: UInt): UInt = if (ids == 1) 0.U else id

  /** Blocks of the cipher in a line, and the bits that number them. */
  val aesBlocks: Int = lineBytes / 16
  val aesBlockBits: Int = log2Ceil(aesBlocks).max(1)

  /** Beats of a line, and the bits that number them. */
  val beats: Int = lineBytes / beatBytes
  val beatIndexBits: Int = log2Ceil(beats).max(1)
}

/** The size of a page, in bits of addresses. */
object EmuParams {

  /** A page has 4 KiB: RISC-V's smallest, and the unit that an operating system maps. */
  val pageBits: Int = 12

  /** Bits that number the blocks of a page. */
  val blockBits: Int = pageBits - 4
}
