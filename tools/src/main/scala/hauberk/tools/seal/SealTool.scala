package hauberk.tools.seal

import hauberk.instruction.DecryptionMode
import hauberk.tools._
import java.io.File
import java.nio.file.{Files => NioFiles, Path}
import scala.sys.process._

/** Command line of `hauberk-seal`: encrypts functions or pages of a program for one processor and one user's token (docs/emu.md). */
object SealTool {
  import ElfSealer.Span

  /** The command line, with its defaults. */
  private case class Options(
      elf: File = new File("."),
      out: File = new File("."),
      soc: Option[File] = None,
      mode: Option[DecryptionMode] = None,
      functions: Seq[String] = Nil,
      sections: Seq[String] = Nil,
      pages: Seq[Span] = Nil,
      issuer: Option[File] = None,
      objcopy: String = "riscv64-unknown-elf-objcopy"
  )

  private val parser = new scopt.OptionParser[Options]("hauberk-seal") {
    head("Encrypts pages of an RV64 program, to be decrypted on their way to the core's fetch port (docs/emu.md).")
    help("help").text("this text")
    private implicit val span: scopt.Read[Span] = scopt.Read.reads { text =>
      val ends = text.split("-").map(end => scala.util.Try(BigInt(end.stripPrefix("0x"), 16)).toOption)
      ends match {
        case Array(Some(start), Some(end)) if start < end => Span(start, end)
        case _ => throw new IllegalArgumentException(s"'$text' is no part of memory: give 0xSTART-0xEND")
      }
    }
    opt[File]("elf").required().valueName("FILE").text("program").action((file, o) => o.copy(elf = file))
    opt[File]("out").required().valueName("FILE").action((file, o) => o.copy(out = file))
      .text(
        "sealed program to write; beside it, as FILE.credentials.json, the processor's secret and the token for a simulator"
      )
    opt[File]("soc").valueName("CONFIG.json").action((file, o) => o.copy(soc = Some(file)))
      .text("description of the SoC, which says the mode")
    private implicit val decryptionMode: scopt.Read[DecryptionMode] = scopt.Read.reads { text =>
      DecryptionMode.named(text)
        .getOrElse(throw new IllegalArgumentException(s"there is no mode $text: choose counter or direct"))
    }
    opt[DecryptionMode]("mode").valueName("counter|direct").action((mode, o) => o.copy(mode = Some(mode)))
      .text("how pages are encrypted, without --soc")
    opt[Seq[String]]("functions").valueName("NAME,...").action((names, o) => o.copy(functions = names))
      .text("functions whose pages to encrypt")
    opt[Seq[String]]("sections").valueName("NAME,...").action((names, o) => o.copy(sections = names))
      .text("sections whose pages to encrypt, such as .sealed")
    opt[Seq[Span]]("pages").valueName("0xSTART-0xEND,...").action((spans, o) => o.copy(pages = spans))
      .text("parts of memory whose pages to encrypt")
    opt[File]("issuer").valueName("FILE").action((file, o) => o.copy(issuer = Some(file)))
      .text("credentials.json of an earlier call, for the same processor and token (default: fresh ones)")
    opt[String]("objcopy").valueName("PROGRAM").action((program, o) => o.copy(objcopy = program))
      .text("adds the notes to programs that keep no room for them (default: riscv64-unknown-elf-objcopy)")
    checkConfig(o =>
      if (o.soc.isDefined == o.mode.isDefined) failure("say how to encrypt: with --soc, or with --mode")
      else if (o.functions.isEmpty && o.sections.isEmpty && o.pages.isEmpty)
        failure("say what to encrypt: with --functions, --sections or --pages")
      else success
    )
  }

  def main(arguments: Array[String]): Unit = sys.exit(run(arguments))

  /** The exit code: 0, or 2 when the input was bad. */
  def run(arguments: Seq[String]): Int = UserError.reported("hauberk-seal") {
    parser.parse(arguments, Options()).fold(UserError.badInput) { options =>
      seal(options)
      0
    }
  }

  private def seal(options: Options): Unit = {
    val mode = options.mode.getOrElse(modeOf(options.soc.get.toPath))
    val issuer = options.issuer.fold(Issuer(fresh(), fresh()))(file => issuerOf(file.toPath))
    val name = options.elf.getName
    val sealer = new ElfSealer(name, Files.read(options.elf.toPath, "program"))
    val spans = options.functions.flatMap(sealer.function) ++ options.sections.map(sealer.section) ++ options.pages
    // Room is made before anything is encrypted: objcopy keeps what is in sections, and not what is between them
    val roomy = if (sealer.hasRoom) sealer else withRoom(sealer.notes(spans), options)
    val made = roomy.seal(spans, mode, issuer, () => fresh())
    if (sealer.debugging.nonEmpty) {
      Console.err.println(
        s"hauberk-seal: $name tells debuggers about sealed code in plaintext (${sealer.debugging.head}): strip what is given away"
      )
    }
    Files.write(options.out.toPath, made.content)
    Files.writeText(
      new File(s"${options.out}.credentials.json").toPath,
      issuer.toJson.render(indent = 2) + "\n"
    )
    for (note <- made.notes) {
      println(
        s"${options.out.getName}: ${note.pages} pages sealed from ${Hex(note.address)} (${mode.name} mode), key id ${Hex(note.keyId)}"
      )
    }
  }

  /** The program with room for so many notes, in a section that is not loaded. */
  private def withRoom(notes: Int, options: Options): ElfSealer = {
    val folder = NioFiles.createTempDirectory("hauberk-seal")
    val (empty, out) = (folder.resolve("notes"), folder.resolve("program"))
    try {
      Files.write(empty, new Array[Byte](notes * SealedNote.bytes))
      val command = Seq(
        options.objcopy,
        s"--add-section=${SealedNote.section}=$empty",
        s"--set-section-flags=${SealedNote.section}=noload,readonly",
        options.elf.getPath,
        out.toString
      )
      val said = new StringBuilder
      val code =
        try command.!(ProcessLogger(line => said.append(line)))
        catch {
          case _: java.io.IOException =>
            throw new UserError(
              s"${options.objcopy} is not installed: run scripts/setup, or name another with --objcopy"
            )
        }
      UserError.unless(code == 0)(s"${options.objcopy} cannot make room for notes: $said")
      val made = new ElfSealer(options.elf.getName, Files.read(out, "program with room for notes"))
      UserError.unless(made.hasRoom)(
        s"${options.objcopy} made no room for notes: name GNU objcopy for RISC-V with --objcopy"
      )
      made
    } finally Seq(empty, out, folder).foreach(NioFiles.deleteIfExists(_))
  }

  private def modeOf(soc: Path): DecryptionMode = {
    val description = JsonFile.read(soc, "description of an SoC")
    UserError.unless(description.has("instructionDecryption"))(
      s"${description.text("config")} does not decrypt instructions: choose a configuration with WithInstructionDecryption, such as EmuCounterRocketConfig"
    )
    val name = description.child("instructionDecryption").text("mode")
    DecryptionMode.named(name)
      .getOrElse(throw new UserError(s"$soc has a mode $name that there is not: elaborate the configuration again"))
  }

  private def issuerOf(path: Path): Issuer = {
    val file = JsonFile.read(path, "file of credentials")
    def secret(from: JsonFile, name: String) = BigInt(1, from.bytes(name, Keys.bytes))
    Issuer(secret(file, "processorSecret"), secret(file.child("token"), "secret"))
  }

  private def fresh(): BigInt = BigInt(1, Keys.fresh())
}
