package hauberk.tools.seal

import hauberk.instruction.{DecryptionMode, ReferenceSeal}
import hauberk.tools._
import hauberk.tools.Fixtures.inFolder
import java.io.ByteArrayOutputStream
import java.nio.file.{Files => NioFiles, Path}
import org.scalatest.funsuite.AnyFunSuite
import scala.util.Random

/** What `hauberk-seal` encrypts, and what it refuses; programs with sections and notes are in `sims/verilator/test/sealed_test.py`. */
class SealToolSpec extends AnyFunSuite {
  private val code = new Array[Byte](4 * 4096)
  new Random(5).nextBytes(code)
  private val elf = TestElf(Seq(TestSegment(0x80000000L, code)))

  /** Exit code and what was said on standard error. */
  private def seal(folder: Path, content: Array[Byte], arguments: String*): (Int, String) = {
    Files.write(folder.resolve("in.riscv"), content)
    val errors = new ByteArrayOutputStream
    val fixed = Seq(
      "--elf",
      folder.resolve("in.riscv").toString,
      "--out",
      folder.resolve("out.riscv").toString
    )
    val code = Console.withOut(new ByteArrayOutputStream)(Console.withErr(errors)(SealTool.run(fixed ++ arguments)))
    (code, errors.toString)
  }

  private def refused(content: Array[Byte], arguments: String*): String = inFolder { folder =>
    val (code, said) = seal(folder, content, arguments: _*)
    assert(code == 2)
    assert(!NioFiles.exists(folder.resolve("out.riscv")))
    said
  }

  test("pages are those of the reference model under the keys of their notes, and nothing else changes") {
    val sealer = new ElfSealer("test", elf.bytes)
    for (mode <- DecryptionMode.all) {
      val random = new Random(6)
      val issuer = Issuer(BigInt(128, random), BigInt(128, random))
      val spans = Seq(ElfSealer.Span(0x80001004L, 0x80001008L), ElfSealer.Span(0x80002ffcL, 0x80003000L + 1))
      val made = sealer.seal(spans, mode, issuer, () => BigInt(128, random))
      // Three pages that follow each other are one run
      val note = made.notes match { case Seq(one) => one }
      assert((note.address, note.pages) == ((BigInt(0x80001000L), 3)))
      val credential = note.credential
      assert(credential.check == ReferenceSeal.applicationCheck(
        issuer.processorSecret,
        credential.secret,
        issuer.tokenSecret,
        note.keyId
      ))
      val key = ReferenceSeal.pageKey(issuer.processorSecret, credential.secret, issuer.tokenSecret, note.keyId)
      val start = elf.bytes.indexOfSlice(code.toSeq)
      val expected = elf.bytes
      for (page <- 0 until 3) {
        val at = start + 4096 * (page + 1)
        ReferenceSeal.page(mode, key, note.ancillary + 256 * page, expected.slice(at, at + 4096)).copyToArray(
          expected,
          at
        )
      }
      assert(made.content.sameElements(expected))
    }
  }

  test("runs of pages have keys, and ancillary data, of their own") {
    val random = new Random(7)
    val spans = Seq(ElfSealer.Span(0x80001000L, 0x80001001L), ElfSealer.Span(0x80003000L, 0x80003001L))
    val made =
      new ElfSealer("test", elf.bytes).seal(spans, DecryptionMode.Counter, Issuer(1, 2), () => BigInt(128, random))
    assert(made.notes.map(_.address) == Seq(BigInt(0x80001000L), BigInt(0x80003000L)))
    assert(made.notes.map(_.credential.secret).distinct.size == 2 && made.notes.map(_.keyId).distinct.size == 2)
    // The last eight bits number the blocks of a page
    assert(made.notes.forall(_.ancillary % 256 == 0))
  }

  test("a note says what the runtime reads") {
    val note = SealedNote(
      DecryptionMode.Direct(),
      0x1000,
      2,
      3,
      (BigInt(5) << 64) + 4,
      IssuedCredential((BigInt(6) << 64) + 7, (BigInt(8) << 64) + 9)
    )
    val bytes = note.toBytes
    def word(at: Int) = BigInt(1, bytes.slice(at, at + 8).reverse)
    assert(bytes.length == 100 && new String(bytes.slice(12, 19), "US-ASCII") == "Hauberk")
    assert((24 to 88 by 8).map(word) == Seq[BigInt](0x1000, 2, 3, 4, 5, 6, 7, 8, 9))
    // As Python's zlib.crc32 has it for the 96 bytes before it
    assert(word(92) >> 32 == BigInt("6da536f5", 16))
  }

  test("what cannot be sealed is refused, with what to change") {
    val pages = Seq("--mode", "counter", "--pages")
    assert(refused("no ELF".getBytes, pages :+ "0x80001000-0x80002000": _*).contains("is not an ELF file"))
    assert(refused(elf.copy(machine = 62).bytes, pages :+ "0x80001000-0x80002000": _*).contains("compile it for RV64"))
    assert(refused(elf.copy(kind = 3).bytes, pages :+ "0x80001000-0x80002000": _*).contains("link it with -static"))
    assert(refused(elf.bytes, pages :+ "0x80000000-0x80000004": _*).contains("leave what runs first"))
    assert(refused(
      elf.bytes,
      pages :+ "0x80003ffc-0x80004004": _*
    ).contains("does not load all of the page at 0x80004000"))
    assert(refused(elf.bytes, pages :+ "0x80002000": _*).contains("is no part of memory"))
    assert(refused(elf.bytes, "--mode", "counter", "--functions", "second").contains("has no function second"))
    assert(refused(elf.bytes, "--mode", "counter", "--sections", ".sealed").contains("has no section .sealed"))
    assert(refused(elf.bytes, "--mode", "counter").contains("say what to encrypt"))
    assert(refused(elf.bytes, "--mode", "other", "--functions", "first").contains("choose counter or direct"))
    assert(refused(
      elf.bytes,
      "--mode",
      "counter",
      "--pages",
      "0x80001000-0x80002000",
      "--objcopy",
      "no-such"
    ).contains("no-such is not installed"))
    assert(refused(elf.bytes, "--functions", "first").contains("say how to encrypt"))
    inFolder { folder =>
      Files.writeText(folder.resolve("soc.json"), """{"config": "BaselineRocketConfig"}""")
      val (code, said) = seal(folder, elf.bytes, "--soc", s"$folder/soc.json", "--pages", "0x80001000-0x80002000")
      assert(code == 2 && said.contains("BaselineRocketConfig does not decrypt instructions"))
    }
  }
}
