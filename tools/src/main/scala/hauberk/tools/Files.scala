package hauberk.tools

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files => NioFiles, Path}

/** Reading and writing of whole files, with errors that name the file. */
object Files {
  def read(path: Path, what: String): Array[Byte] = {
    UserError.unless(NioFiles.isRegularFile(path))(s"there is no $what at $path")
    try NioFiles.readAllBytes(path)
    catch { case error: IOException => throw new UserError(s"cannot read the $what at $path: ${error.getMessage}") }
  }

  def readText(path: Path, what: String): String = new String(read(path, what), UTF_8)

  def write(path: Path, bytes: Array[Byte]): Unit =
    try {
      Option(path.toAbsolutePath.getParent).foreach(NioFiles.createDirectories(_))
      NioFiles.write(path, bytes)
    } catch { case error: IOException => throw new UserError(s"cannot write $path: $error") }

  def writeText(path: Path, text: String): Unit = write(path, text.getBytes(UTF_8))
}
