package hauberk.tools.seal

import hauberk.instruction.DecryptionMode
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.charset.StandardCharsets.US_ASCII
import java.util.zip.CRC32

/** What a loader must know of a run of sealed pages, as an ELF note that ends in its CRC-32 (`tests/runtime/sealed.h` has the same for programs).
  *
  * @param mode       how they are encrypted
  * @param address    where they begin
  * @param pages      how many of 4 KiB there are
  * @param keyId      which of the application's keys they are under
  * @param ancillary  of the first page; each following has 256 more
  * @param credential the application's
  */
case class SealedNote(
    mode: DecryptionMode,
    address: BigInt,
    pages: Int,
    keyId: BigInt,
    ancillary: BigInt,
    credential: IssuedCredential
) {
  def toBytes: Array[Byte] = {
    val buffer = ByteBuffer.allocate(SealedNote.bytes).order(LITTLE_ENDIAN)
    buffer.putInt(SealedNote.owner.length).putInt(SealedNote.descriptorBytes).putInt(SealedNote.kind)
    buffer.put(SealedNote.owner).putInt(mode.code)
    for (word <- Seq(address, BigInt(pages), keyId, ancillary, ancillary >> 64)) buffer.putLong(word.toLong)
    // Of secrets, the more significant half first, as the key unit's scratchpad has them
    for (half <- Seq(credential.secret, credential.check)) buffer.putLong((half >> 64).toLong).putLong(half.toLong)
    val checksum = new CRC32
    checksum.update(buffer.array, 0, buffer.position())
    buffer.putInt(checksum.getValue.toInt).array
  }
}

/** The format of the ELF note: section, owner, type and bytes of its descriptor. */
object SealedNote {
  val section = ".note.hauberk"
  val owner: Array[Byte] = "Hauberk\u0000".getBytes(US_ASCII)

  /** The type of a note of sealed pages; room for one has type 0. */
  val kind = 1
  val descriptorBytes: Int = 4 + 9 * 8 + 4

  /** It is a note of sealed pages, and not room for one. */
  def isUsed(note: Array[Byte]): Boolean = note.slice(8, 12).exists(_ != 0)

  /** Header, owner and descriptor. */
  val bytes: Int = 12 + 8 + descriptorBytes
}
