package hauberk.testing

import java.nio.file.{Files, Path}

/** Folders that tests work in. */
private[testing] object Folders {

  /** All below a folder, and the folder itself first. */
  private def within(folder: Path): Seq[Path] = {
    val paths = Files.walk(folder)
    try paths.toArray.toSeq.map(_.asInstanceOf[Path])
    finally paths.close()
  }

  /** The files of this name, wherever below the folder. */
  def named(folder: Path, name: String): Seq[Path] = within(folder).filter(_.getFileName.toString == name)

  def remove(folder: Path): Unit = within(folder).reverse.foreach(Files.deleteIfExists(_))
}
