package hauberk.tools

import java.io.File

/** Command line of `hauberk-image`: makes program packages, and checks the DRAM that a program left. */
object ImageTool {
  private case class Options(
      command: String = "",
      elf: File = new File("."),
      soc: File = new File("."),
      out: File = new File("."),
      deviceKey: Option[Array[Byte]] = None,
      staticKey: Option[Array[Byte]] = None
  )

  private val parser = new scopt.OptionParser[Options]("hauberk-image") {
    head("Makes program packages and checks the DRAM that a program left.")
    help("help").text("this text")

    private implicit val key: scopt.Read[Array[Byte]] = scopt.Read.reads { text =>
      Hex.parse(text, Keys.bytes).getOrElse(
        throw new IllegalArgumentException(s"'$text' is not a key: give ${2 * Keys.bytes} hexadecimal digits")
      )
    }

    cmd("pack").text("packages a program for one configuration")
      .action((_, options) => options.copy(command = "pack"))
      .children(
        opt[File]("elf").required().valueName("FILE").text("RV64 program").action((file, o) => o.copy(elf = file)),
        opt[File]("soc").required().valueName("CONFIG.json").text("description of the SoC, written by elaboration")
          .action((file, o) => o.copy(soc = file)),
        opt[File]("out").required().valueName("FOLDER").text("package to write").action((file, o) => o.copy(out = file)),
        opt[Array[Byte]]("device-key").valueName("HEX").text("key in the SoC's fuses (default: a fresh one, kept in vendor.json)")
          .action((key, o) => o.copy(deviceKey = Some(key))),
        opt[Array[Byte]]("static-key").valueName("HEX").text("key of the image (default: a fresh one)")
          .action((key, o) => o.copy(staticKey = Some(key)))
      )
    checkConfig(options => if (options.command.isEmpty) failure("name a command: pack or check") else success)
  }

  def main(arguments: Array[String]): Unit = sys.exit(run(arguments))

  /** The exit code: 0, 1 when a check failed, 2 when the input was bad. */
  def run(arguments: Seq[String]): Int = UserError.reported("hauberk-image") {
    parser.parse(arguments, Options()) match {
      case None                                       => UserError.badInput
      case Some(options) if options.command == "pack" => pack(options)
    }
  }

  private def pack(options: Options): Int = {
    val description = JsonFile.read(options.soc.toPath, "description of an SoC")
    val soc = SocDescription.parse(description, options.soc.toString)
    val program = Program.read(options.elf.toPath, Region(soc.dramBase, soc.dramBase + soc.dataBytes))
    val keys = PackageKeys(options.staticKey.getOrElse(Keys.fresh()), options.deviceKey.getOrElse(Keys.fresh()))
    ProgramPackage.write(ProgramPackage.make(soc, program, keys), description, options.out.toPath)
    0
  }
}
