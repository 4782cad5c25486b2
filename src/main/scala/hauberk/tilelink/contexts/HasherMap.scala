package hauberk.tilelink.contexts

import hauberk.tilelink.common.{BitField, Register, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of [[TLHasher]]: the only place that knows offsets and bits. */
object HasherMap {
  val busy: BitField = BitField("BUSY", 0, 1, "a message has begun and is not whole")
  val reading: BitField =
    BitField(
      "READING",
      1,
      1,
      "lines of a range are left to read, or the digest is being made"
    )
  val failed: BitField =
    BitField("FAILED", 2, 1, "the last message ended by a read that failed: nothing is added until ABORT")
  val done: BitField = BitField("DONE", 3, 1, "DIGEST is that of the last message")
  val refused: BitField = BitField(
    "REFUSED",
    4,
    1,
    "since ABORT, a range or word was not added: it came too early or after a failed read, or the range was not in memory, or had no line"
  )
  val full: BitField =
    BitField(
      "FULL",
      5,
      1,
      "a range would be refused: lines of the last one are left to ask for, END was written, or a read failed"
    )

  val id: Register = RegisterMap.id("Hauberk6")
  val status: Register = Register("STATUS", 0x08, RO, "state", Seq(busy, reading, failed, done, refused, full))
  val address: Register = Register("ADDRESS", 0x10, WO, "address of a range of memory, a multiple of 64")
  val lines: Register =
    Register("LINES", 0x18, WO, "lines of 64 bytes of the range, at most 4 Mi: adds them to the message")
  val word: Register = Register("WORD", 0x20, WO, "adds eight bytes to the message, the first one least significant")
  val tail: Register = Register("TAIL", 0x28, WO, "the last bytes of the message, the first one least significant")
  val end: Register = Register("END", 0x30, WO, "number of bytes in TAIL, 0 to 8: ends the message")
  val abort: Register = Register("ABORT", 0x38, WO, "1 ends the message without a digest")
  val digest: Seq[Register] = (0 until 4).map(word =>
    Register(
      s"DIGEST_$word",
      0x40 + 8 * word,
      RO,
      s"bytes ${8 * word} to ${8 * word + 7} of the digest, the first one least significant; 0 unless DONE"
    )
  )

  val all: RegisterMap =
    RegisterMap("HASHER", 0x10070000, Seq(id, status, address, lines, word, tail, end, abort) ++ digest)
}
