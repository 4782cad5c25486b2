package hauberk.tools

import java.io.File

/** Command line of `hauberk-image`: makes program packages, and checks the DRAM that a program left. */
object ImageTool {

  /** The command line, with its defaults. */
  private case class Options(
      command: String = "",
      elf: File = new File("."),
      soc: File = new File("."),
      out: File = new File("."),
      deviceKey: Option[Array[Byte]] = None,
      staticKey: Option[Array[Byte]] = None,
      folder: File = new File("."),
      dump: File = new File("."),
      run: File = new File("."),
      uart: File = new File("."),
      pages: Boolean = false
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
        opt[File]("out").required().valueName("FOLDER").text("package to write").action((file, o) =>
          o.copy(out = file)
        ),
        opt[Array[Byte]](
          "device-key"
        ).valueName("HEX").text("key in the SoC's fuses (default: a fresh one, kept in vendor.json)")
          .action((key, o) => o.copy(deviceKey = Some(key))),
        opt[Array[Byte]]("static-key").valueName("HEX").text("key of the image (default: a fresh one)")
          .action((key, o) => o.copy(staticKey = Some(key)))
      )

    cmd("check").text("checks that DRAM holds what the program left, and none of it in the clear")
      .action((_, options) => options.copy(command = "check"))
      .children(
        opt[File]("package").required().valueName("FOLDER").text("package that was run").action((file, o) =>
          o.copy(folder = file)
        ),
        opt[File]("dump").required().valueName("FILE").text("DRAM at the end").action((file, o) => o.copy(dump = file)),
        opt[File]("run").required().valueName("FILE").text("run record").action((file, o) => o.copy(run = file)),
        opt[File]("uart").required().valueName("FILE").text("what the program printed").action((file, o) =>
          o.copy(uart = file)
        ),
        opt[File]("out").required().valueName("FILE").text("check record to write (JSON)").action((file, o) =>
          o.copy(out = file)
        ),
        opt[Unit]("pages").action((_, o) => o.copy(pages = true))
          .text("look at every page of DRAM, and for no results: what ran was an operating system")
      )
    checkConfig(options => if (options.command.isEmpty) failure("name a command: pack or check") else success)
  }

  def main(arguments: Array[String]): Unit = sys.exit(run(arguments))

  /** The exit code: 0, 1 when a check failed, 2 when the input was bad. */
  def run(arguments: Seq[String]): Int = UserError.reported("hauberk-image") {
    parser.parse(arguments, Options()) match {
      case None => UserError.badInput
      case Some(options) => if (options.command == "pack") pack(options) else check(options)
    }
  }

  private def pack(options: Options): Int = {
    val description = JsonFile.read(options.soc.toPath, "description of an SoC")
    val soc = SocDescription.parse(description, options.soc.toString)
    val program = Program.read(options.elf.toPath, Region(soc.dramBase, soc.dramBase + soc.dataBytes))
    val keys = PackageKeys(
      options.staticKey.getOrElse(Keys.fresh()),
      options.deviceKey.getOrElse(Keys.fresh()),
      if (soc.protection.exists(_.counterFormat == CounterFormat.Announced)) Some(Keys.fresh()) else None
    )
    val made = ProgramPackage.make(soc, program, keys)
    made.inTheClear.headOption.foreach(first =>
      Console.err.println(
        s"hauberk-image: ${made.inTheClear.size} blocks of the image, the first at ${Hex(first)}, are in a region that " +
          s"${soc.config} leaves in plaintext, and are shipped in the clear"
      )
    )
    ProgramPackage.write(made, description, options.out.toPath)
    0
  }

  private def check(options: Options): Int = {
    val made = ProgramPackage.read(options.folder.toPath)
    val run = RunRecord.read(options.run.toPath)
    // An operating system's programs say what they computed, but not where in DRAM it was
    val uart = if (options.pages) UartLog(None) else UartLog.read(options.uart.toPath)
    val dump = new Dram(made.soc.dramBase, Files.read(options.dump.toPath, "DRAM dump"))
    val result = DramCheck(made, run, uart, dump, options.pages)
    Files.writeText(options.out.toPath, result.toJson.render(indent = 2) + "\n")
    result.complaint.foreach(complaint =>
      Console.err.println(s"hauberk-image: ${run.program} on ${run.config}: $complaint")
    )
    if (result.complaint.isEmpty) 0 else 1
  }
}
