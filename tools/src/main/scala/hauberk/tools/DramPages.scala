package hauberk.tools

import java.nio.ByteBuffer

/** What is to be seen of the pages of DRAM.
  *
  * @param used      pages that are not zero; those that were used, if DRAM was zero at the start
  * @param plaintext pages that show plaintext
  */
case class PageCount(used: Int, plaintext: Int)

/** Compares DRAM as it is with what the cores see of it, page by page. A page shows plaintext if a word of it, other than zero, stands there
  * unencrypted; or if one of its blocks is what the cores see of any block of DRAM, at whatever place, other than zeros.
  */
object DramPages {
  val pageBytes = 4096

  /** @param decrypt what the cores see of a block */
  def count(soc: SocDescription, dump: Dram, decrypt: BigInt => Array[Byte]): PageCount = {
    val data = soc.dramBase until (soc.dramBase + soc.dataBytes)
    val contents = collection.mutable.HashSet.empty[ByteBuffer]
    for (address <- data by soc.blockBytes) {
      val seen = decrypt(address)
      if (!isZero(seen)) contents += ByteBuffer.wrap(seen)
    }
    def shows(address: BigInt) = {
      val (stored, seen) = (dump.bytes(address, soc.blockBytes), decrypt(address))
      def inPlace = {
        val (here, there) = (ByteBuffer.wrap(stored).asLongBuffer, ByteBuffer.wrap(seen).asLongBuffer)
        (0 until soc.blockBytes / 8).exists(i => here.get(i) != 0 && here.get(i) == there.get(i))
      }
      contents(ByteBuffer.wrap(stored)) || inPlace
    }
    val pages = (data by pageBytes).filterNot(page => isZero(dump.bytes(page, pageBytes)))
    PageCount(pages.size, pages.count(page => (page until page + pageBytes by soc.blockBytes).exists(shows)))
  }

  private def isZero(bytes: Array[Byte]) = bytes.forall(_ == 0)
}
