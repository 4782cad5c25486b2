package hauberk.soc

import java.nio.file.{FileSystems, Files, Path, Paths}
import java.util.stream.Collectors
import org.chipsalliance.cde.config.{Config, Parameters}
import scala.collection.JavaConverters._
import scala.util.Try

/** Finds configurations by name, as Chipyard does: `Name`, `package.Name`, or several joined by `_`, leftmost first. */
object KnownConfigs {
  private val home = "hauberk.config"

  /** Names of all complete configurations in `hauberk.config`, sorted. */
  def names: Seq[String] = {
    val classes = classNames(Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI))
    classes.filter(name => name.endsWith("Config") && instantiate(s"$home.$name").isDefined).sorted
  }

  /** The configuration of that name, or why there is none. */
  def find(name: String): Either[String, Config] = {
    val parts = name.split("_").toSeq.map { part =>
      instantiate(if (part.contains(".")) part else s"$home.$part").toRight(part)
    }
    parts.collectFirst { case Left(part) => part } match {
      case Some(part) => Left(s"unknown configuration $part; known: ${names.mkString(", ")}")
      case None =>
        Right(new Config(parts.collect { case Right(config) => config: Parameters }.reduceLeft((left, right) =>
          left ++ right
        )))
    }
  }

  private def instantiate(className: String): Option[Config] =
    Try(Class.forName(className)).toOption
      .filter(found =>
        classOf[Config].isAssignableFrom(found) && found.getConstructors.exists(_.getParameterCount == 0)
      )
      .map(_.getConstructor().newInstance().asInstanceOf[Config])

  private def classNames(classPath: Path): Seq[String] = {
    val directory = home.replace('.', '/')
    def list(root: Path): Seq[String] = {
      val entries = Files.list(root.resolve(directory))
      try entries.collect(Collectors.toList[Path]).asScala.map(_.getFileName.toString).toList
      finally entries.close()
    }
    val files =
      if (Files.isDirectory(classPath)) list(classPath)
      else {
        val jar = FileSystems.newFileSystem(classPath, null: ClassLoader)
        try list(jar.getPath("/"))
        finally jar.close()
      }
    files.collect { case file if file.endsWith(".class") && !file.contains("$") => file.stripSuffix(".class") }
  }
}
