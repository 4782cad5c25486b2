package hauberk.testing

import java.nio.file.{Files, Path}
import scala.jdk.CollectionConverters._

/** Working folder of one simulation: says why a simulator ended by itself, and removes the folder afterwards. */
private[testing] object SimulatorLog {
  def withFolder[T](body: Path => T): T = {
    val folder = Files.createTempDirectory("hauberk-simulation")
    try body(folder)
    catch {
      case error: Throwable if log(folder).nonEmpty =>
        throw new AssertionError(
          s"${error.getMessage}; the simulator's last words: ${log(folder).mkString(" | ")}",
          error
        )
    } finally remove(folder)
  }

  private def log(folder: Path): Seq[String] = {
    val files = Files.walk(folder).iterator.asScala.filter(_.getFileName.toString == "simulation-log.txt").toSeq
    files.flatMap(file => Files.readAllLines(file).asScala.toSeq).filter(_.trim.nonEmpty).takeRight(5)
  }

  private def remove(folder: Path): Unit =
    Files.walk(folder).iterator.asScala.toSeq.reverse.foreach(Files.deleteIfExists(_))
}
