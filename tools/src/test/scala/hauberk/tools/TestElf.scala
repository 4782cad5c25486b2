package hauberk.tools

import java.io.ByteArrayOutputStream
import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.US_ASCII

/** Writes ELF files by hand, so that each field can be wrong.
  *
  * @param symbols name and value of each symbol
  */
case class TestElf(
    segments: Seq[TestSegment],
    entry: Long = 0x80000000L,
    symbols: Seq[(String, Long)] = Nil,
    is64: Boolean = true,
    littleEndian: Boolean = true,
    machine: Int = 243,
    kind: Int = 2
) {
  private val headerBytes = if (is64) 64 else 52
  private val programHeaderBytes = if (is64) 56 else 32
  private val sectionHeaderBytes = if (is64) 64 else 40

  def bytes: Array[Byte] = {
    val names = "\u0000.symtab\u0000.strtab\u0000.shstrtab\u0000"
    val symbolNames = symbols.map(_._1).mkString("\u0000", "\u0000", "\u0000")
    val symbolTable = new Field
    symbolTable.zeros(24)
    symbols.foldLeft(1) { case (at, (name, value)) =>
      symbolTable.int(at).byte(0x10).byte(0).short(0xfff1).long(value).long(0)
      at + name.length + 1
    }
    val contents =
      segments.map(_.data) ++ Seq(symbolTable.bytes, symbolNames.getBytes(US_ASCII), names.getBytes(US_ASCII))
    val offsets = contents.scanLeft(headerBytes + segments.size * programHeaderBytes)(_ + _.length)

    val file = new Field
    file.byte(
      0x7f
    ).byte('E').byte('L').byte('F').byte(if (is64) 2 else 1).byte(if (littleEndian) 1 else 2).byte(1).zeros(9)
    file.short(kind).short(machine).int(1).word(entry).word(headerBytes).word(offsets.last).int(0)
    file.short(headerBytes).short(programHeaderBytes).short(segments.size).short(sectionHeaderBytes).short(4).short(3)
    for ((segment, offset) <- segments.zip(offsets)) {
      val size = segment.claimedBytes.getOrElse(segment.data.length.toLong)
      val memory = segment.memoryBytes.getOrElse(segment.data.length.toLong)
      file.int(segment.kind)
      if (is64) file.int(segment.flags)
      file.word(offset).word(segment.address).word(segment.address).word(size).word(memory)
      if (!is64) file.int(segment.flags)
      file.word(1)
    }
    contents.foreach(file.all)
    val tables = offsets.drop(segments.size)
    section(file, 0, 0, 0, 0, 0, 0)
    section(file, 1, 2, tables(0), symbolTable.bytes.length, 2, 24)
    section(file, 9, 3, tables(1), symbolNames.length, 0, 0)
    section(file, 17, 3, tables(2), names.length, 0, 0)
    file.bytes
  }

  private def section(file: Field, name: Int, kind: Int, offset: Int, size: Int, link: Int, entry: Int): Unit =
    file.int(name).int(kind).word(0).word(0).word(offset).word(size).int(link).int(0).word(1).word(entry)

  private class Field {
    private val out = new ByteArrayOutputStream
    def bytes: Array[Byte] = out.toByteArray
    def byte(value: Int): Field = all(Array(value.toByte))
    def short(value: Int): Field = put(2)(_.putShort(value.toShort))
    def int(value: Int): Field = put(4)(_.putInt(value))
    def long(value: Long): Field = put(8)(_.putLong(value))
    def word(value: Long): Field = if (is64) long(value) else int(value.toInt)
    def zeros(count: Int): Field = all(new Array[Byte](count))
    def all(data: Array[Byte]): Field = { out.write(data); this }
    private def put(count: Int)(write: ByteBuffer => Unit): Field = {
      val buffer = ByteBuffer.allocate(count).order(if (littleEndian) ByteOrder.LITTLE_ENDIAN else ByteOrder.BIG_ENDIAN)
      write(buffer)
      all(buffer.array)
    }
  }
}

/** A program header and what it loads.
  *
  * @param flags        1 execute, 2 write, 4 read
  * @param memoryBytes  p_memsz, if it is not the size of the data
  * @param claimedBytes p_filesz, if it is not the size of the data
  */
case class TestSegment(
    address: Long,
    data: Array[Byte],
    flags: Int = 5,
    memoryBytes: Option[Long] = None,
    claimedBytes: Option[Long] = None,
    kind: Int = 1
)
