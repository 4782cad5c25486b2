package hauberk.tools

import java.nio.file.Path
import net.fornwall.jelf.{ElfException, ElfFile, ElfSegment, ElfSymbol}

/** A part of a program that is loaded.
  *
  * @param index       its number in the ELF's program headers
  * @param address     where it goes
  * @param data        what is loaded there
  * @param memoryBytes what it takes in memory; beyond `data`, the program itself must clear it
  * @param writable    whether the program may change it
  */
case class Segment(index: Int, address: BigInt, data: Array[Byte], memoryBytes: BigInt, writable: Boolean) {
  def end: BigInt = address + memoryBytes
  override def toString: String = s"segment $index (${Hex(address)} to ${Hex(end - 1)})"
}

/** Addresses from `start` to before `end`. */
case class Region(start: BigInt, end: BigInt) {
  def contains(from: BigInt, until: BigInt): Boolean = start <= from && until <= end
  def size: BigInt = end - start

  /** Addresses of the blocks it lies in. */
  def blocks(blockBytes: Int): Seq[BigInt] = start / blockBytes * blockBytes until end by blockBytes

  /** Its bytes, out of those of its blocks. */
  def read(blockBytes: Int, block: BigInt => Array[Byte]): Array[Byte] = {
    val skipped = (start % blockBytes).toInt
    blocks(blockBytes).toArray.flatMap(address => block(address)).slice(skipped, skipped + size.toInt)
  }
  override def toString: String = s"${Hex(start)} to ${Hex(end - 1)}"
}

/** An RV64 program, ready to be packaged.
  *
  * @param results where it leaves its results (symbols hauberk_results to hauberk_results_end), if it says so
  */
case class Program(entry: BigInt, segments: Seq[Segment], results: Option[Region])

/** Reads programs from RV64 ELF files, and refuses those that cannot run in the region. */
object Program {
  import Rv64Elf.unsigned

  /** Reads an ELF file that is to run in the data region. */
  def read(path: Path, data: Region): Program = parse(Files.read(path, "program"), path.getFileName.toString, data)

  /** The same with the file's content and its name. */
  def parse(content: Array[Byte], name: String, data: Region): Program = {
    def refuse(reason: String) = throw new UserError(s"$name $reason")
    val elf = Rv64Elf.parse(content, name)
    if (elf.e_type != ElfFile.ET_EXEC) refuse("is not a linked executable: link it statically to fixed addresses")
    try {
      val segments = loadable(elf)
      segments.find(segment => !data.contains(segment.address, segment.end)).foreach { segment =>
        refuse(s"has $segment outside the data region ($data): link it into that region")
      }
      if (segments.forall(_.data.isEmpty)) refuse("loads nothing: link it with code")
      val entry = unsigned(elf.e_entry)
      if (!segments.exists(segment => entry >= segment.address && entry < segment.address + segment.data.length)) {
        refuse(s"enters at ${Hex(entry)}, where it loads nothing: link it with its entry point in a loaded segment")
      }
      val results = resultsOf(elf)
      results.filterNot(region => data.contains(region.start, region.end) && region.size > 0).foreach { region =>
        refuse(s"has its results ($region) outside the data region ($data): link them into that region")
      }
      Program(entry, segments, results)
    } catch {
      case error: UserError => throw error
      case error: ElfException => refuse(s"is a damaged ELF file (${error.getMessage}): link it again")
      case _: RuntimeException => refuse("is a damaged ELF file: link it again")
    }
  }

  private def loadable(elf: ElfFile): Seq[Segment] =
    (0 until elf.e_phnum).map(index => index -> elf.getProgramHeader(index)).collect {
      case (index, header) if header.p_type == ElfSegment.PT_LOAD && header.p_memsz != 0 =>
        Segment(index, unsigned(header.p_paddr), header.getData, unsigned(header.p_memsz), header.isWriteable)
    }

  private def resultsOf(elf: ElfFile): Option[Region] = {
    val symbols = Option(elf.getSymbolTableSection).fold(Seq.empty[ElfSymbol])(_.symbols.toSeq)
    def address(name: String) = symbols.find(_.getName == name).map(symbol => unsigned(symbol.st_value))
    for {
      start <- address("hauberk_results")
      end <- address("hauberk_results_end")
    } yield Region(start, end)
  }
}
