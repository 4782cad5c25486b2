package hauberk.testing

import java.nio.file.{Files, Path}
import scala.collection.mutable

/** Simulators that stay when a test has ended: it runs again on them without elaboration and build, see [[RepeatedTests]]. */
private[testing] final class KeptSimulators {
  private val kept = mutable.Map.empty[Path, Any]
  private val folders = mutable.ArrayBuffer.empty[Path]
  private val running = mutable.Set.empty[Path]
  private var asked = 0

  /** Runs a test, whose simulators are those of its last run. */
  def repeat[R](test: => R): R = {
    asked = 0
    running.clear()
    KeptSimulators.current.set(Some(this))
    try test
    finally KeptSimulators.current.remove()
  }

  /** Folders of the simulators that the last run used. */
  def used: Seq[Path] = running.toSeq

  /** Another test is next. */
  def clear(): Unit = {
    folders.foreach { folder =>
      kept -= folder
      Folders.remove(folder)
    }
    folders.clear()
  }

  private def next(): Path = {
    asked += 1
    if (asked > folders.size) folders += Files.createTempDirectory("hauberk-simulation")
    folders(asked - 1)
  }
}

object KeptSimulators {
  private val current = new ThreadLocal[Option[KeptSimulators]] {
    override def initialValue = None
  }

  /** The simulator in a folder. It is built, unless it is kept from an earlier run. */
  def in[S](folder: Path)(build: => S): S =
    current.get.fold(build)(_.kept.getOrElseUpdate(folder, build).asInstanceOf[S])

  /** Called by a simulator that starts. */
  def runs(folder: Path): Unit = current.get.foreach(_.running += folder)

  /** Runs the body in a folder of its own, which is removed afterwards; if simulators are kept, in the same folder each time that the test runs. */
  private[testing] def withFolder[R](body: Path => R): R = current.get match {
    case Some(simulators) => body(simulators.next())
    case None =>
      val folder = Files.createTempDirectory("hauberk-simulation")
      try body(folder)
      finally Folders.remove(folder)
  }
}
