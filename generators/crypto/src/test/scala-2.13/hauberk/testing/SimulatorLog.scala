package hauberk.testing

import java.nio.file.{Files, Path}
import scala.jdk.CollectionConverters._

/** Working folder of one simulation: says why a simulator ended by itself. */
private[testing] object SimulatorLog {
  def withFolder[T](body: Path => T): T = KeptSimulators.withFolder { folder =>
    try body(folder)
    catch {
      case error: Throwable if log(folder).nonEmpty =>
        throw new AssertionError(
          s"${error.getMessage}; the simulator's last words: ${log(folder).mkString(" | ")}",
          error
        )
    }
  }

  private def log(folder: Path): Seq[String] = {
    val files = Folders.named(folder, "simulation-log.txt")
    files.flatMap(file => Files.readAllLines(file).asScala.toSeq).filter(_.trim.nonEmpty).takeRight(5)
  }
}
