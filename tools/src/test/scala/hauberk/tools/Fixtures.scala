package hauberk.tools

import hauberk.memory.layout.MetadataLayout
import java.io.File
import java.nio.file.{Files => NioFiles, Path}
import org.scalatest.Assertions
import scala.util.Random

/** Small SoCs and programs to package. */
object Fixtures extends Assertions {
  val base = BigInt("80000000", 16)
  val dramBytes: BigInt = 1 << 16
  val keys: PackageKeys = PackageKeys(Array.tabulate(16)(_.toByte), Array.tabulate(16)(i => (0x80 + i).toByte))

  /** Entropy words and the dynamic key that the hardware makes of them. */
  val entropy: Seq[BigInt] = Seq(BigInt("0011223344556677", 16), BigInt("8899aabbccddeeff", 16))
  val dynamicKey: Array[Byte] =
    "00112233445566778899aabbccddeeff".grouped(2).map(Integer.parseInt(_, 16).toByte).toArray

  /** Entropy words of the second context of two engines, after the others, and the keys made of them. */
  val moreEntropy: Seq[BigInt] = Seq(1, 2, 3, 4)
  val secondKeys: Seq[Array[Byte]] =
    Seq((1, 2), (3, 4)).map { case (high, low) =>
      Array.tabulate(16)(i => (if (i == 7) high else if (i == 15) low else 0).toByte)
    }

  /** Description of a SoC with 64 KiB of DRAM and so many engines, interleaved block by block; none for unprotected DRAM. */
  def description(scheme: Scheme = Scheme.otp, engines: Int = 1, regions: Seq[DramRegion] = Nil): ujson.Obj = {
    val layout = if (engines == 0) None else Some(MetadataLayout(dramBytes / engines, 64, scheme.shape))
    val common: Seq[(String, ujson.Value)] = Seq(
      "config" -> "TestConfig",
      "cores" -> 1,
      "dramBase" -> base.toDouble,
      "dramBytes" -> dramBytes.toDouble,
      "dataBytes" -> layout.fold(dramBytes)(_.dataBytes * engines).toDouble,
      "protected" -> (engines > 0),
      "engines" -> engines,
      "blockBytes" -> 64,
      "banks" -> (0 until engines).map { engine =>
        ujson.Obj(
          "base" -> base.toDouble,
          "bytes" -> (dramBytes / engines).toDouble,
          "selectBits" -> (0 until Integer.numberOfTrailingZeros(engines)).map(6 + _),
          "select" -> engine * 64
        )
      }
    )
    val special = regions.map { case DramRegion(region, plain, context) =>
      ujson.Obj(
        "base" -> region.start.toDouble,
        "bytes" -> region.size.toDouble,
        "plain" -> plain,
        "context" -> context
      )
    }
    val listed: Seq[(String, ujson.Value)] = if (regions.isEmpty) Nil else Seq("regions" -> special)
    ujson.Obj.from(listed ++ common ++ (if (engines == 0) Seq("mode" -> ujson.Str("none")) else scheme.toJson))
  }

  def json(value: ujson.Obj): JsonFile = new JsonFile("test.json", value.obj)
  def soc(description: ujson.Obj): SocDescription = SocDescription.parse(json(description), "test.json")

  private val random = new Random(7)
  def randomBytes(count: Int): Array[Byte] = Array.fill(count)(random.nextInt().toByte)

  /** Code and constants, written data, and results of 20 bytes that start behind the start of a block. */
  val elf: TestElf = TestElf(
    segments = Seq(
      TestSegment(0x80000000L, randomBytes(300)),
      TestSegment(0x80001000L, randomBytes(200), flags = 4),
      TestSegment(0x80002008L, randomBytes(100), flags = 6, memoryBytes = Some(4096))
    ),
    entry = 0x80000010L,
    symbols = Seq("main" -> 0x80000010L, "hauberk_results" -> 0x80002108L, "hauberk_results_end" -> 0x8000211cL)
  )

  def program(elf: TestElf, soc: SocDescription): Program =
    Program.parse(elf.bytes, "test.riscv", Region(soc.dramBase, soc.dramBase + soc.dataBytes))

  def refused(parts: String*)(body: => Any): Unit = {
    val message = intercept[UserError](body).getMessage
    for (part <- parts) assert(message.contains(part))
  }

  def inFolder[T](body: Path => T): T = {
    val folder = NioFiles.createTempDirectory("hauberk-tools-test")
    try body(folder)
    finally delete(folder.toFile)
  }

  private def delete(file: File): Unit = {
    Option(file.listFiles).foreach(_.foreach(delete))
    file.delete()
  }
}
