package hauberk.tools

import hauberk.tools.Fixtures._
import java.io.ByteArrayOutputStream
import java.nio.file.{Files => NioFiles, Path}
import net.fornwall.jelf.ElfFile
import org.scalatest.funsuite.AnyFunSuite

/** The command line, from files to files. */
class ImageToolSpec extends AnyFunSuite {

  /** Exit code and what was said on standard error. */
  private def run(arguments: Any*): (Int, String) = {
    val errors = new ByteArrayOutputStream
    val code = Console.withErr(errors)(ImageTool.run(arguments.map(_.toString)))
    (code, errors.toString)
  }

  private def withInputs(body: Path => Unit): Unit = inFolder { folder =>
    Files.write(folder.resolve("test.riscv"), elf.bytes)
    Files.writeText(folder.resolve("soc.json"), description().render())
    body(folder)
  }

  private def pack(folder: Path, more: Any*): (Int, String) =
    run(Seq(
      "pack",
      "--elf",
      folder.resolve("test.riscv"),
      "--soc",
      folder.resolve("soc.json"),
      "--out",
      folder.resolve("test.pkg")
    ) ++ more: _*)

  test("packaging twice gives different keys and ciphertext of the same plaintext") {
    withInputs { folder =>
      assert(pack(folder) == ((0, "")))
      val first = ProgramPackage.read(folder.resolve("test.pkg"))
      assert(pack(folder) == ((0, "")))
      val second = ProgramPackage.read(folder.resolve("test.pkg"))
      assert(first.plaintext.content sameElements second.plaintext.content)
      assert(!first.image.content.sameElements(second.image.content))
      for ((a, b) <- first.keys.zip(second.keys))
        assert(Hex(a.static) != Hex(b.static) && Hex(a.device) != Hex(b.device))
    }
  }

  test("keys may be given") {
    withInputs { folder =>
      assert(pack(
        folder,
        "--device-key",
        "000102030405060708090A0B0C0D0E0F",
        "--static-key",
        "00112233445566778899AABBCCDDEEFF"
      )._1 == 0)
      val header = ujson.read(NioFiles.readAllBytes(folder.resolve("test.pkg/header.json")))
      assert(header("wrappedKey").str == "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5") // RFC 3394, section 4.1
    }
  }

  test("a loader outside the chip gets an ELF of the ciphertext, and what to write to the protector") {
    withInputs { folder =>
      val soc = description(Scheme.blockTags)
      soc.value.remove("config")
      soc("loader") = ujson.Obj(
        "imageBlocks" -> 0x10010058,
        "wrappedKey" -> Seq(0x10010020, 0x10010028, 0x10010030),
        "command" -> 0x10010010,
        "unwrap" -> 1
      )
      NioFiles.delete(folder.resolve("soc.json"))
      Files.writeText(folder.resolve("top.hauberk.json"), soc.render())
      val keys =
        Seq("--device-key", "000102030405060708090A0B0C0D0E0F", "--static-key", "00112233445566778899AABBCCDDEEFF")
      val arguments = Seq("--elf" -> "test.riscv", "--soc" -> "top.hauberk.json", "--out" -> "test.pkg")
      assert(run("pack" +: (arguments.flatMap { case (name, file) =>
        Seq(name, folder.resolve(file))
      } ++ keys): _*) == ((0, "")))

      val made = ProgramPackage.read(folder.resolve("test.pkg"))
      assert(made.soc.config == "top")
      val elf = ElfFile.from(NioFiles.readAllBytes(folder.resolve("test.pkg/image.elf")))
      assert(BigInt(elf.e_entry) == made.program.entry && elf.e_phnum == 2)
      for ((dram, index) <- Seq(made.image, made.tags.get).zipWithIndex) {
        val segment = elf.getProgramHeader(index)
        val content = NioFiles.readAllBytes(folder.resolve("test.pkg/image.elf"))
        assert(BigInt(segment.p_paddr) == dram.base && segment.p_memsz == segment.p_filesz)
        assert(content.slice(
          segment.p_offset.toInt,
          (segment.p_offset + segment.p_filesz).toInt
        ) sameElements dram.content)
      }
      assert(elf.getSection(1).header.getName == ".shstrtab")

      // The wrapped key is that of RFC 3394, section 4.1
      val words = Seq(0x58 -> made.imageBlocks, 0x5c -> BigInt(0)) ++ Seq(
        0x20 -> BigInt("8112b447", 16),
        0x24 -> BigInt("1fa68b0a", 16),
        0x28 -> BigInt("fb5a7b82", 16),
        0x2c -> BigInt("aef34bd8", 16),
        0x30 -> BigInt("71d2cfe5", 16),
        0x34 -> BigInt("9d3e8623", 16)
      ) :+ (0x10 -> BigInt(1))
      val expected = words.map { case (at, word) => f"+init_write=0x${0x10010000 + at}%x:0x$word%x" }
      assert(new String(NioFiles.readAllBytes(folder.resolve("test.pkg/loader.args"))) == expected.mkString(" ") + "\n")
    }
  }

  test("an image that was never run holds no results; the check says so and fails") {
    withInputs { folder =>
      pack(folder)
      val made = ProgramPackage.read(folder.resolve("test.pkg"))
      Files.write(
        folder.resolve("dram.bin"),
        made.image.content ++ new Array[Byte](dramBytes.toInt - made.image.content.length)
      )
      Files.writeText(folder.resolve("uart.log"), "checksum 1\n")
      val timing =
        ujson.Obj("latency" -> 80, "cycles_per_beat" -> 5, "bus_bytes" -> 8, "outstanding" -> 8, "write_queue" -> 0)
      val traffic = Seq("data_reads", "data_writes", "metadata_reads", "metadata_writes").map(_ -> ujson.Num(0))
      val record = ujson.Obj(
        "config" -> "TestConfig",
        "program" -> "test",
        "exit_code" -> 0,
        "dram" -> ujson.Obj.from(timing.value ++ traffic),
        "counter_cache" -> ujson.Obj("hits" -> 0, "misses" -> 0),
        "entropy" -> ujson.Obj("words" -> ujson.Arr("0x0011223344556677", "0x8899aabbccddeeff"))
      )
      Files.writeText(folder.resolve("run.json"), record.render())
      val inputs = Seq(
        "package" -> "test.pkg",
        "dump" -> "dram.bin",
        "run" -> "run.json",
        "uart" -> "uart.log",
        "out" -> "check.json"
      )
      val arguments = "check" +: inputs.flatMap { case (name, file) => Seq(s"--$name", folder.resolve(file)) }
      val (code, errors) = run(arguments: _*)
      assert(
        code == 1 && errors.startsWith("hauberk-image: test on TestConfig: the results (0x80002108 to 0x8000211b)")
      )
      val check = ujson.read(NioFiles.readAllBytes(folder.resolve("check.json")))
      assert(check("plaintext_words_in_dram").num == 0 && check("dram_check").str.startsWith("fail: the results"))
      assert(check("protected").bool && !check.obj.contains("pages_used"))

      // Of an operating system, nobody knows where its programs' results were
      val (pagesCode, pagesErrors) = run(arguments :+ "--pages": _*)
      val pages = ujson.read(NioFiles.readAllBytes(folder.resolve("check.json")))
      assert(pages("plaintext_pages_in_dram").num == 0 && pages("pages_used").num == 3)
      assert(pagesCode == 1 && pagesErrors.contains("the program printed no checksum of its results"))
    }
  }

  test("bad input ends in one sentence and exit code 2") {
    withInputs { folder =>
      def bad(sentence: String, result: (Int, String)): Unit = {
        assert(result._1 == 2)
        assert(result._2.contains(sentence))
      }
      bad("name a command: pack or check", run())
      bad("'12' is not a key: give 32 hexadecimal digits", pack(folder, "--device-key", "12"))
      Files.writeText(folder.resolve("soc.json"), "no JSON")
      bad("is not a JSON object", pack(folder))
      NioFiles.delete(folder.resolve("soc.json"))
      bad("there is no description of an SoC at", pack(folder))
      Files.writeText(folder.resolve("soc.json"), description().render())
      Files.write(folder.resolve("test.riscv"), elf.copy(littleEndian = false).bytes)
      bad("hauberk-image: test.riscv is a big-endian ELF", pack(folder))
      NioFiles.delete(folder.resolve("test.riscv"))
      bad("there is no program at", pack(folder))
    }
  }
}
