package hauberk.tools

import java.nio.ByteBuffer

/** What is to be seen of the pages of DRAM.
  *
  * @param used      pages that are not zero; those that were used, if DRAM was zero at the start
  * @param plaintext pages that show plaintext
  */
case class PageCount(used: Int, plaintext: Int)

/** Looks for plaintext in DRAM, page by page. A page shows some if one of its blocks
  *   - is, at whatever place, what the cores see of any block of DRAM, or what the image has in one;
  *   - has a word that is what the cores see there, or what the image has there;
  *   - has a word of zeros, but is not zero: of ciphertext, no word in 10^19 is.
  * Regions that are left in plaintext may show everything, and are not looked at.
  *
  * @param decrypt what the cores see of a block
  */
class DramPages(made: ProgramPackage, dump: Dram, decrypt: BigInt => Array[Byte]) {
  import DramPages._
  private val block = made.soc.blockBytes
  private val end = made.soc.dramBase + made.soc.dataBytes
  private def isPlain(address: BigInt) = made.soc.protection.exists(_.isPlain(address))

  private val known: collection.Set[ByteBuffer] = {
    val contents = collection.mutable.HashSet.empty[ByteBuffer]
    def add(content: Array[Byte]): Unit = if (!isZero(content)) contents += ByteBuffer.wrap(content)
    for (address <- made.soc.dramBase until end by block if !isPlain(address)) add(decrypt(address))
    for (address <- made.plaintext.base until made.plaintext.end by block if !isPlain(address))
      add(made.plaintext.bytes(address, block))
    contents
  }

  private def shows(address: BigInt): Boolean = {
    val stored = dump.bytes(address, block)
    def inPlace(other: Array[Byte]) =
      words(stored).zip(words(other)).exists { case (mine, its) => mine != 0 && mine == its }
    def inImage = made.plaintext.contains(address, block) && inPlace(made.plaintext.bytes(address, block))
    !isZero(stored) && !isPlain(address) &&
    (known(ByteBuffer.wrap(stored)) || words(stored).contains(0L) || inPlace(decrypt(address)) || inImage)
  }

  def count: PageCount = {
    val pages = (made.soc.dramBase until end by pageBytes).map(page => page until (page + pageBytes).min(end) by block)
    val used = pages.filterNot(_.forall(address => isZero(dump.bytes(address, block))))
    PageCount(used.size, used.count(_.exists(shows)))
  }
}

/** The size of a page, and its comparison with zero. */
object DramPages {
  val pageBytes = 4096
  private def isZero(bytes: Array[Byte]) = bytes.forall(_ == 0)
  private def words(bytes: Array[Byte]): Seq[Long] = {
    val buffer = ByteBuffer.wrap(bytes).asLongBuffer
    (0 until bytes.length / 8).map(buffer.get)
  }
}
