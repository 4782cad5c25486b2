package hauberk.soc

import java.io.ByteArrayOutputStream
import java.nio.file.{Files, Path}
import org.scalatest.funsuite.AnyFunSuite

/** Ciphers as models: all of them where a configuration says so, and none in synthesis. */
class CipherModelSpec extends AnyFunSuite {

  // Protector, bus and instruction decryption; pads in the tiles and direct decryption
  for (
    name <- Seq(
      "WithSenss_EmuAegisOtpDualRocketConfig",
      "WithInvalidatedTilePads_WithSenss_WithEmuDirect_BaselineDualRocketConfig"
    )
  ) test(s"WithCipherModel leaves no round of AES in hardware in $name") {
    val config = LoneSystem(KnownConfigs.find(s"WithCipherModel_$name").right.get)
    val firrtl = Console.withOut(new ByteArrayOutputStream)(chisel3.Driver.emit(() => new SimTop()(config)))
    // Not the text itself, which a failure would print
    val (models, rounds) = (firrtl.contains("defname = HauberkAesModel"), firrtl.contains("module AesRound"))
    assert(models && !rounds)
  }

  private def compile(synthesis: Boolean): Either[String, Seq[Path]] = {
    val folder = Files.createTempDirectory("hauberk-model")
    val firrtl = """circuit Top :
                   |  extmodule Model :
                   |    output result : UInt<128>
                   |    defname = HauberkAesModel
                   |  module Top :
                   |    output out : UInt<128>
                   |    inst model of Model
                   |    out <= model.result
                   |""".stripMargin
    Files.write(folder.resolve("Top.fir"), firrtl.getBytes)
    Firtool.compile(folder.resolve("Top.fir"), folder.resolve("Top.sv"), synthesis)
  }

  test("a simulator gets the C++ of a model with its Verilog") {
    val files = compile(synthesis = false).right.get
    assert(files.map(_.getFileName.toString) == Seq("Top.sv", "HauberkAesModel.v", "HauberkAesModel.cc"))
    assert(files.forall(Files.size(_) > 0))
  }

  test("synthesis refuses a model with a sentence") {
    assert(compile(synthesis = true).left.get.contains("leave out what brings it, as WithCipherModel"))
  }
}
