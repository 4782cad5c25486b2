package hauberk.tools

import java.nio.{ByteBuffer, ByteOrder}
import net.fornwall.jelf.ElfFile
import scala.util.control.NonFatal

/** ELF files of programs for RV64. */
object Rv64Elf {

  /** Parses a file's content; throws a [[UserError]] that begins with its name if it is none. What is damaged in it shows when it is read. */
  def parse(content: Array[Byte], name: String): ElfFile = {
    def refuse(reason: String) = throw new UserError(s"$name $reason")
    val elf =
      try ElfFile.from(content)
      catch { case NonFatal(_) => refuse("is not an ELF file: give a program linked for RV64") }
    if (elf.is32Bits) refuse("is a 32-bit ELF: compile it for RV64 (-march=rv64gc)")
    if (elf.ei_data != ElfFile.DATA_LSB) refuse("is a big-endian ELF: compile it for little-endian RV64")
    if (elf.e_machine != ElfFile.ARCH_RISCV)
      refuse(s"is an ELF for machine ${elf.e_machine}, not RISC-V: compile it for RV64")
    elf
  }

  /** A file that brings data to memory, without symbols.
    *
    * @param segments each at its physical address
    */
  def write(entry: BigInt, segments: Seq[Dram]): Array[Byte] = {
    val (headerBytes, programHeaderBytes, sectionHeaderBytes) = (64, 56, 64)
    // Loaders look for the name of each section: there is one, which holds the names
    val names = "\u0000.shstrtab\u0000".getBytes("US-ASCII")
    val namesAt = headerBytes + programHeaderBytes * segments.size
    val sectionsAt = namesAt + (names.length + 7) / 8 * 8
    val dataAt = segments.scanLeft(sectionsAt + 2 * sectionHeaderBytes)(_ + _.content.length)
    val file = ByteBuffer.allocate(dataAt.last).order(ByteOrder.LITTLE_ENDIAN)
    def halves(values: Int*): Unit = values.foreach(value => file.putShort(value.toShort))
    def words(values: Int*): Unit = values.foreach(value => file.putInt(value))
    def longs(values: BigInt*): Unit = values.foreach(value => file.putLong(value.toLong))
    file.put(Array[Byte](0x7f, 'E', 'L', 'F', 2, 1, 1)).position(16)
    halves(ElfFile.ET_EXEC, ElfFile.ARCH_RISCV)
    words(1)
    longs(entry, headerBytes, sectionsAt)
    words(0)
    halves(headerBytes, programHeaderBytes, segments.size, sectionHeaderBytes, 2, 1)
    for ((segment, at) <- segments.zip(dataAt)) {
      words(1, 7) // loaded; readable, writable, executable
      val size = BigInt(segment.content.length)
      longs(at, segment.base, segment.base, size, size, 8)
    }
    file.put(names)
    file.position(sectionsAt + sectionHeaderBytes) // the section of number 0 is empty
    words(1, 3) // the name's offset; a table of strings
    longs(0, 0, namesAt, names.length)
    words(0, 0)
    longs(1, 0)
    segments.foreach(segment => file.put(segment.content))
    file.array
  }

  /** An address or size, of which jelf makes a signed number. */
  def unsigned(value: Long): BigInt = BigInt(value) & ((BigInt(1) << 64) - 1)
}
