package hauberk.tools.seal

import hauberk.instruction.{DecryptionMode, ReferenceSeal}
import hauberk.tools.Rv64Elf.unsigned
import hauberk.tools.{Hex, Rv64Elf, UserError}
import net.fornwall.jelf._
import scala.util.control.NonFatal

/** An ELF program with some of its pages encrypted.
  *
  * @param content the file, of the same length and layout as before
  * @param notes   what a loader must know, run of pages by run of pages; in the content, too, if there is room for them
  */
case class SealedElf(content: Array[Byte], notes: Seq[SealedNote])

/** Encrypts pages of an RV64 program in place.
  *
  * @param name    of the file, for messages
  * @param content the file
  */
class ElfSealer(name: String, content: Array[Byte]) {
  import ElfSealer._
  private def refuse(reason: String) = throw new UserError(s"$name $reason")
  private val elf = Rv64Elf.parse(content, name)
  if (elf.e_type != ElfFile.ET_EXEC)
    refuse(
      "is not linked to run at one place, and a loader would change what is encrypted: link it with -static -no-pie"
    )
  private val segments = guarded((0 until elf.e_phnum).map(elf.getProgramHeader).filter(_.p_type == ElfSegment.PT_LOAD))
  private val sections = guarded((1 until elf.e_shnum).map(elf.getSection))

  private def guarded[T](read: => T): T =
    try read
    catch { case NonFatal(_) => refuse("is a damaged ELF file: link it again") }

  private lazy val functions: Seq[(String, Span)] = guarded {
    val symbols = Option(elf.getSymbolTableSection).fold(Seq.empty[ElfSymbol])(_.symbols.toSeq)
    symbols.filter(symbol => symbol.getName != null && symbol.getType == ElfSymbol.STT_FUNC)
      .map(symbol => symbol.getName -> Span(unsigned(symbol.st_value), unsigned(symbol.st_value + symbol.st_size)))
  }
  private val headers = sections.map(_.header)
  private def room = headers.find(_.getName == SealedNote.section)
  for (header <- room) {
    val notes = guarded(content.slice(header.sh_offset.toInt, (header.sh_offset + header.sh_size).toInt))
    if (notes.grouped(SealedNote.bytes).exists(SealedNote.isUsed))
      refuse("is sealed already: seal the program that it was made of")
  }

  /** The program has a section for notes. */
  def hasRoom: Boolean = room.isDefined

  /** Sections that say in plaintext how the program was made; none in what is given away. */
  def debugging: Seq[String] = headers.map(_.getName).filter(_.startsWith(".debug"))

  /** Where a function is, by its symbol: all parts into which the compiler split it, such as `f.cold`. */
  def function(symbol: String): Seq[Span] = {
    val named = functions.collect { case (name, span) if name == symbol => span }
    if (named.isEmpty) refuse(s"has no function $symbol: name one that it has, and do not strip it")
    if (named.distinct.size > 1)
      refuse(s"has ${named.distinct.size} functions $symbol: give them other names, or seal --pages")
    val parts = functions.collect { case (name, span) if name.startsWith(symbol + ".") => span }
    (named ++ parts).map(filled(s"the function $symbol", _))
  }

  /** Where a section is. */
  def section(wanted: String): Span =
    headers.find(_.getName == wanted)
      .map(header =>
        filled(s"the section $wanted", Span(unsigned(header.sh_addr), unsigned(header.sh_addr + header.sh_size)))
      )
      .getOrElse(refuse(s"has no section $wanted: name one that it has"))

  private def filled(what: String, span: Span): Span =
    if (span.start < span.end) span
    else refuse(s"says that $what is empty, so nothing of it would be sealed: seal --pages")

  private def pagesOf(spans: Seq[Span]): Seq[BigInt] = {
    val pages =
      spans.flatMap(span => span.start / pageBytes until (span.end + pageBytes - 1) / pageBytes).distinct.sorted
    if (pages.isEmpty) refuse("would have no page sealed: name functions, sections or pages")
    pages.foreach(check)
    pages
  }

  /** How many notes these spans need. */
  def notes(spans: Seq[Span]): Int = runs(pagesOf(spans)).size

  /** Encrypts every page that one of the spans touches; the pages of each run of them under a key of its own.
    *
    * @param random 128 random bits
    */
  def seal(spans: Seq[Span], mode: DecryptionMode, issuer: Issuer, random: () => BigInt): SealedElf = {
    val result = content.clone
    val notes = runs(pagesOf(spans)).map { run =>
      val (secret, keyId) = (random(), random() & ((BigInt(1) << 64) - 1))
      val ancillary = (random() >> 8) << 8
      val key = issuer.pageKey(secret, keyId)
      for ((page, i) <- run.zipWithIndex) {
        val at = offsetOf(page)
        val plain = content.slice(at, at + pageBytes)
        ReferenceSeal.page(mode, key, nth(ancillary, i), plain).copyToArray(result, at)
      }
      SealedNote(mode, run.head * pageBytes, run.size, keyId, ancillary, issuer.application(secret, keyId))
    }
    room.foreach { header =>
      val bytes = notes.toArray.flatMap(_.toBytes)
      if (bytes.length > header.sh_size) {
        refuse(
          s"has room for ${header.sh_size / SealedNote.bytes} notes of sealed pages, and needs ${notes.size}: make HAUBERK_SEALED_NOTES larger"
        )
      }
      bytes.copyToArray(result, header.sh_offset.toInt)
    }
    SealedElf(result, notes)
  }

  /** Refuses a page of which not everything is code, or that runs before anybody has decrypted it. */
  private def check(page: BigInt): Unit = {
    val span = Span(page * pageBytes, (page + 1) * pageBytes)
    if (offsetOf(page) < 0)
      refuse(
        s"does not load all of the page at ${Hex(span.start)}: align what is to be sealed, and what follows, to pages"
      )
    for (header <- headers if (header.sh_flags & ElfSectionHeader.FLAG_ALLOC) != 0) {
      val part = Span(unsigned(header.sh_addr), unsigned(header.sh_addr + header.sh_size))
      if (part.meets(span) && (header.sh_flags & ElfSectionHeader.FLAG_EXEC_INSTR) == 0)
        refuse(
          s"has data (${header.getName}) in the page at ${Hex(span.start)}: align code to pages, for loads would see it encrypted"
        )
    }
    if (span.contains(unsigned(elf.e_entry)))
      refuse(s"begins in the page at ${Hex(span.start)}: leave what runs first, and makes the key, in plaintext")
  }

  /** Where the file has a page, or -1. */
  private def offsetOf(page: BigInt): Int = {
    val start = page * pageBytes
    segments.find { segment =>
      val from = unsigned(segment.p_vaddr)
      from <= start && start + pageBytes <= from + segment.p_filesz
    }.fold(-1)(segment => (start - unsigned(segment.p_vaddr) + segment.p_offset).toInt)
  }
}

/** The size of a page, and spans of addresses. */
object ElfSealer {
  val pageBytes = 4096

  /** Addresses from `start` to before `end`. */
  case class Span(start: BigInt, end: BigInt) {
    def contains(address: BigInt): Boolean = start <= address && address < end
    def meets(other: Span): Boolean = start < other.end && other.start < end
  }

  /** Ancillary data of the n-th page of a run. */
  def nth(ancillary: BigInt, n: Int): BigInt = (ancillary + (BigInt(n) << 8)) & ((BigInt(1) << 128) - 1)

  /** Consecutive numbers together. */
  private def runs(numbers: Seq[BigInt]): Seq[Seq[BigInt]] = numbers.foldLeft(Seq.empty[Seq[BigInt]]) {
    case (rest :+ run, next) if run.last + 1 == next => rest :+ (run :+ next)
    case (all, next) => all :+ Seq(next)
  }
}
