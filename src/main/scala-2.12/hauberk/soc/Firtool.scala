package hauberk.soc

import java.nio.file.attribute.PosixFilePermissions
import java.nio.file.{Files, Path, Paths, StandardCopyOption}
import scala.sys.process._

/** Turns FIRRTL into SystemVerilog with the firtool that Maven Central packs in a jar. */
object Firtool {
  private val resources = "/org.chipsalliance/llvm-firtool"

  private val forSimulators = Seq("--lowering-options=disallowLocalVariables")

  // Yosys has no packed arrays. Without line numbers, an edit that leaves the hardware as it was leaves the Verilog as it was.
  private val forSynthesis =
    Seq("--lowering-options=disallowLocalVariables,disallowPackedArrays", "--strip-debug-info")

  /** Compiles `fir` to `verilog` and copies the Verilog of its black boxes, and the C++ of those that are models, into the same folder.
    *
    * @param synthesis the Verilog is for Yosys, not for a simulator; a model is an error then
    * @return the files to give either, or the error
    */
  def compile(fir: Path, verilog: Path, synthesis: Boolean = false): Either[String, Seq[Path]] = {
    val command = Seq(
      executable.toString,
      "--format=fir",
      fir.toString,
      "-o",
      verilog.toString,
      "--disable-all-randomization"
    ) ++ (if (synthesis) forSynthesis else forSimulators)
    val output = new StringBuilder
    val exitCode = Process(command).!(ProcessLogger(line => output.append(line).append('\n')))
    if (exitCode != 0) Left(s"firtool failed with exit code $exitCode:\n$output")
    else copyBlackBoxes(blackBoxes(fir), verilog.getParent, synthesis).right.map(verilog +: _)
  }

  private def blackBoxes(fir: Path): Seq[String] = {
    val Name = """\s*defname = (\S+)\s*""".r
    val source = io.Source.fromFile(fir.toFile)
    try source.getLines().collect { case Name(name) => name }.toList.distinct
    finally source.close()
  }

  private def copyBlackBoxes(names: Seq[String], folder: Path, synthesis: Boolean): Either[String, Seq[Path]] =
    names.foldLeft[Either[String, Seq[Path]]](Right(Nil)) { (done, name) =>
      done.right.flatMap { files =>
        (copied(s"/vsrc/$name.v", folder), copied(s"/csrc/$name.cc", folder)) match {
          case (None, _) => Left(s"black box $name has no Verilog: put vsrc/$name.v among the resources")
          case (_, Some(_)) if synthesis =>
            Left(
              s"$name is C++ that a simulator runs, and has no hardware: leave out what brings it, as WithCipherModel"
            )
          case (verilog, model) => Right(files ++ verilog ++ model)
        }
      }
    }

  /** The copy of a resource, if there is such a resource. */
  private def copied(resource: String, folder: Path): Option[Path] =
    Option(getClass.getResourceAsStream(resource)).map { stream =>
      val file = folder.resolve(resource.split('/').last)
      try Files.copy(stream, file, StandardCopyOption.REPLACE_EXISTING)
      finally stream.close()
      file
    }

  private def executable: Path = {
    val version = read(s"$resources/project.version")
    val cache = sys.env.get("XDG_CACHE_HOME").map(Paths.get(_)).getOrElse(Paths.get(sys.props("user.home"), ".cache"))
    val file = cache.resolve("hauberk").resolve(s"firtool-$version")
    if (!Files.isExecutable(file)) {
      Files.createDirectories(file.getParent)
      // Extracted under a name of its own and then renamed: another process may be doing the same.
      val temporary = Files.createTempFile(file.getParent, "firtool", "")
      val stream = getClass.getResourceAsStream(s"$resources/$platform/bin/firtool")
      try Files.copy(stream, temporary, StandardCopyOption.REPLACE_EXISTING)
      finally stream.close()
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"))
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE)
    }
    file
  }

  private def platform: String =
    if (sys.props("os.name").toLowerCase.contains("mac")) "macos-x64" else "linux-x64"

  private def read(resource: String): String = {
    val source = io.Source.fromInputStream(getClass.getResourceAsStream(resource))
    try source.mkString.trim
    finally source.close()
  }
}
