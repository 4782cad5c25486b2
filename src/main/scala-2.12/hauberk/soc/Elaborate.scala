package hauberk.soc

import freechips.rocketchip.subsystem.WithBootROMFile
import freechips.rocketchip.util.ElaborationArtefacts
import java.io.{File, OutputStream, PrintStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import hauberk.memory.common.Refusal
import org.chipsalliance.cde.config.{Config, Parameters}
import scala.util.{Failure, Success, Try}

/** Command line: elaborates a configuration of the stand-alone SoC and compiles it to Verilog.
  *
  * Writes `<config>.fir`, `<config>.dts`, `<config>.json` ([[SystemDescription]]), `<config>.sv`, the Verilog of black
  * boxes, the C++ of those that are models, and `<config>.f`, the list of these sources, as names in that folder. Bad input ends in one sentence and exit code 1.
  */
object Elaborate {

  /** The command line, with its defaults. */
  private case class Options(
      config: String = "",
      bootRom: File = new File("."),
      out: File = new File("."),
      synthesis: Boolean = false
  )

  private val parser = new scopt.OptionParser[Options]("Elaborate") {
    head("Elaborates a configuration of the stand-alone SoC.")
    opt[String]("config").required().valueName("NAME").action((name, options) => options.copy(config = name))
      .text("configuration: Name, package.Name, or several joined by _")
    opt[File]("bootrom").required().valueName("FILE").action((file, options) => options.copy(bootRom = file))
      .validate(file =>
        if (file.isFile) success else failure(s"there is no boot ROM image at $file: build bootrom first")
      )
      .text("boot ROM image; the device tree is appended to it")
    opt[File]("out").required().valueName("FOLDER").action((folder, options) => options.copy(out = folder))
      .text("folder to write to; made if absent")
    help("help").text("print this")
    opt[Unit]("synthesis").action((_, options) => options.copy(synthesis = true))
      .text("write Verilog for Yosys instead of a simulator")
  }

  def main(arguments: Array[String]): Unit = {
    val result = parser.parse(arguments, Options()).toRight("").right.flatMap(run)
    result.left.foreach { message =>
      if (message.nonEmpty) Console.err.println(s"Error: $message")
      sys.exit(1)
    }
  }

  private def run(options: Options): Either[String, Unit] = for {
    config <- KnownConfigs.find(options.config).right
    _ = KnownConfigs.renamed(options.config).foreach { case (old, name) =>
      Console.err.println(s"Note: $old is called $name now; the old name still works")
    }
    elaborated <- elaborate(new Config(new WithBootROMFile(options.bootRom.getPath) ++ config)).right
    _ <- write(options, elaborated).right
  } yield ()

  /** The result of an elaboration: FIRRTL, and the description that the tools read. */
  private case class Elaborated(firrtl: String, description: SystemDescription)

  private def elaborate(config: Parameters): Either[String, Elaborated] = {
    var top: Option[SimTop] = None
    val attempt = Try(quietly {
      val circuit = chisel3.Driver.elaborate { () =>
        val built = new SimTop()(config)
        top = Some(built)
        built
      }
      Elaborated(chisel3.Driver.emit(circuit), top.get.description)
    })
    attempt match {
      case Success(elaborated) => Right(elaborated)
      case Failure(exception) => Left(reasons(exception).getOrElse(throw exception).mkString("\nError: "))
    }
  }

  /** The sentences with which the configuration was refused, or none if it died of something else. */
  private def reasons(exception: Throwable): Option[Seq[String]] = {
    val Required = "(?s)requirement failed: (.+)".r
    Iterator.iterate(exception)(_.getCause).takeWhile(_ != null).collectFirst {
      case refusal: Refusal => refusal.violations
      case wrong if Required.findFirstIn(wrong.getMessage + "").isDefined =>
        Seq(wrong.getMessage.stripPrefix("requirement failed: "))
    }
  }

  /** Rocket Chip prints its device tree and address map while it elaborates; both are in the files written. */
  private def quietly[T](body: => T): T = {
    val nowhere = new PrintStream(new OutputStream { override def write(byte: Int): Unit = () })
    Console.withOut(nowhere)(body)
  }

  private def write(options: Options, elaborated: Elaborated): Either[String, Unit] = {
    val folder = Files.createDirectories(options.out.toPath.toAbsolutePath)
    def file(extension: String): Path = folder.resolve(s"${options.config}.$extension")
    def save(extension: String, text: String): Unit = Files.write(file(extension), text.getBytes(UTF_8))
    save("fir", elaborated.firrtl)
    save("json", elaborated.description.toJson(options.config).render(indent = 2) + "\n")
    ElaborationArtefacts.files.collectFirst { case ("dts", contents) => save("dts", contents()) }
    Firtool.compile(file("fir"), file("sv"), options.synthesis).right.map { sources =>
      save("f", sources.map(folder.relativize).mkString("", "\n", "\n"))
    }
  }
}
