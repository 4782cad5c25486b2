package hauberk.soc

import freechips.rocketchip.subsystem.RocketTilesKey
import java.lang.reflect.InvocationTargetException
import java.nio.file.{FileSystems, Files, Path, Paths}
import java.util.stream.Collectors
import org.chipsalliance.cde.config.{Config, Parameters}
import scala.collection.JavaConverters._
import scala.util.{Failure, Success, Try}

/** Finds configurations by name, as Chipyard does: `Name`, `package.Name`, or several joined by `_`, leftmost first.
  *
  * A fragment whose parameters are whole numbers is named with its arguments: `WithCounterCache-65536-32_WithL1Kib-64_AegisOtpRocketConfig`
  * needs no class of its own, so that a study may have as many points as it likes. Numbers may be hexadecimal, as addresses are:
  * `WithPlaintextRegion-0x80400000-0x10000_YangSncLruRocketConfig`.
  */
object KnownConfigs {
  private val home = "hauberk.config"

  /** Names of all complete configurations in `hauberk.config`, sorted. */
  def names: Seq[String] = {
    val classes = classNames(Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI))
    classes.filter(name =>
      name.endsWith("Config") && newName(name).isEmpty && instantiate(s"$home.$name").isDefined
    ).sorted
  }

  /** Names of all fragments in `hauberk.config`, sorted. */
  def fragments: Seq[String] = {
    val classes = classNames(Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI))
    classes.filter(name =>
      name.startsWith("With") && newName(name).isEmpty &&
        Try(Class.forName(qualified(name))).toOption.exists(classOf[Config].isAssignableFrom)
    ).sorted
  }

  /** Why `part`, one configuration or one fragment with its numbers, is none; none if it is one. */
  def misnamed(part: String): Option[String] = Try(instantiate(qualified(part))) match {
    case Success(Some(_)) => None
    case Success(None) => Some(misfit(part).getOrElse(unknown(part)))
    case Failure(refusal) => Some(s"$part: ${String.valueOf(refusal.getMessage).stripPrefix("requirement failed: ")}")
  }

  private def unknown(part: String): String =
    if (part.startsWith("With")) s"unknown fragment $part; known: ${fragments.mkString(", ")}"
    else s"unknown configuration $part; known: ${names.mkString(", ")}"

  /** Old names in `name`, with today's names. */
  def renamed(name: String): Seq[(String, String)] =
    name.split("_").toSeq.map(_.takeWhile(_ != '-')).flatMap(part => newName(part).map(part -> _))

  /** Old names are deprecated subclasses of the new ones. */
  private def newName(name: String): Option[String] = for {
    found <- Try(Class.forName(qualified(name))).toOption
    if found.isAnnotationPresent(classOf[Deprecated])
  } yield found.getSuperclass.getSimpleName

  /** The configuration of that name, or why there is none. */
  def find(name: String): Either[String, Config] = {
    val parts = name.split("_").toSeq.map { part =>
      instantiate(qualified(part)).toRight(part)
    }
    parts.collectFirst { case Left(part) => part } match {
      case Some(part) => Left(misfit(part).getOrElse(unknown(part)))
      case None =>
        val config = new Config(parts.collect { case Right(config) => config: Parameters }.reduceLeft((left, right) =>
          left ++ right
        ))
        // Tiles that are refused are there
        if (Try(config(RocketTilesKey).nonEmpty).getOrElse(true)) Right(config)
        else Left(s"$name has no cores: end it with a configuration, as in ${name}_BaselineRocketConfig")
    }
  }

  private def qualified(part: String): String = if (part.contains(".")) part else s"$home.$part"

  /** The arguments of a fragment, if there is one of that name and it takes others. */
  private def misfit(part: String): Option[String] = for {
    found <- Try(Class.forName(qualified(part.takeWhile(_ != '-')))).toOption
    if classOf[Config].isAssignableFrom(found)
    constructor <-
      found.getConstructors.find(_.getParameterTypes.forall(kind => kind == classOf[Int] || kind == classOf[Long]))
  } yield {
    val own = found.getSimpleName
    constructor.getParameterCount match {
      case 0 => s"$part: $own takes no numbers: write $own"
      case count =>
        val numbers = if (count == 1) "one whole number" else s"$count whole numbers"
        s"$part: $own takes $numbers, decimal or with 0x: write ${own}${"-N" * count}"
    }
  }

  /** An instance of `Class` or `Class-1-2`, if there is such a class and it takes these numbers. What the class itself refuses, it refuses
    * with its own words.
    */
  private def instantiate(name: String): Option[Config] = {
    val className +: arguments = name.split("-").toSeq
    for {
      found <- Try(Class.forName(className)).toOption
      if classOf[Config].isAssignableFrom(found)
      numbers <- Try(arguments.map(number)).toOption
      (constructor, values) <- found.getConstructors.toSeq.flatMap(candidate =>
        convert(numbers, candidate.getParameterTypes).map(candidate -> _)
      ).headOption
    } yield try constructor.newInstance(values: _*).asInstanceOf[Config]
    catch { case refusal: InvocationTargetException => throw refusal.getCause }
  }

  private def number(text: String): Long =
    if (text.startsWith("0x")) java.lang.Long.parseLong(text.drop(2), 16) else text.toLong

  /** The numbers as arguments of a constructor, if it takes this number of whole numbers of their size. */
  private def convert(numbers: Seq[Long], types: Seq[Class[_]]): Option[Seq[Object]] = {
    val converted = numbers.zip(types).collect {
      case (number, kind) if kind == classOf[Int] && number.isValidInt => Int.box(number.toInt)
      case (number, kind) if kind == classOf[Long] => Long.box(number)
    }
    if (numbers.size == types.size && converted.size == types.size) Some(converted) else None
  }

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
