package hauberk.tools

import java.nio.file.{Files => NioFiles, Path}
import java.util.stream.Collectors
import scala.collection.JavaConverters._

/** What is in a folder, in the order of names; nothing in what is no folder. */
object Folders {
  def folders(folder: Path): Seq[Path] = entries(folder).filter(NioFiles.isDirectory(_))

  /** The files whose whole names match. */
  def files(folder: Path, name: String): Seq[Path] =
    entries(folder).filter(path => NioFiles.isRegularFile(path) && path.getFileName.toString.matches(name))

  private def entries(folder: Path): Seq[Path] =
    if (!NioFiles.isDirectory(folder)) Nil
    else {
      val found = NioFiles.list(folder)
      try found.collect(Collectors.toList[Path]).asScala.toList.sortBy(_.getFileName.toString)
      finally found.close()
    }
}
