package hauberk.testing

import java.nio.file.{Files, Path}
import scala.collection.mutable
import scala.jdk.CollectionConverters._

/** A simulator's trace (IEEE 1364-2005, section 18). */
private[testing] object Trace {
  private val variable = raw"\s*\$$var \w+ +\d+ (\S+) (\S+).*".r
  private val scope = raw"\s*\$$scope \w+ (\S+).*".r
  private val end = raw"\s*\$$upscope.*".r
  private val vector = raw"b([01]+) (\S+)".r
  private val bit = raw"([01])(\S+)".r

  private val time = "#(\\d+)".r
  private val top = "TOP.svsimTestbench.dut."

  /** Values at these times, in ascending order, of the trace in a folder, by name below the design. */
  def values(folder: Path, times: Seq[Long]): Seq[Map[String, BigInt]] = {
    val file = Files.walk(folder).iterator.asScala.find(_.toString.endsWith(".vcd")).get
    val scopes = mutable.Stack[String]()
    val names = mutable.Map[String, mutable.Buffer[String]]()
    val now = mutable.Map[String, BigInt]()
    val seen = mutable.Buffer[Map[String, BigInt]]()
    def seeUntil(next: Long): Unit =
      while (seen.size < times.size && times(seen.size) < next) { seen += now.toMap }
    Files.readAllLines(file).asScala.foreach {
      case variable(code, name) =>
        val path = (scopes.reverseIterator ++ Iterator(name)).mkString(".")
        if (path.startsWith(top)) names.getOrElseUpdate(code, mutable.Buffer()) += path.stripPrefix(top)
      case scope(name) => scopes.push(name)
      case end() => scopes.pop()
      case time(next) => seeUntil(next.toLong)
      case vector(value, code) => names.getOrElse(code, Nil).foreach(now(_) = BigInt(value, 2))
      case bit(value, code) => names.getOrElse(code, Nil).foreach(now(_) = BigInt(value, 2))
      case _ =>
    }
    seeUntil(Long.MaxValue)
    seen.toSeq
  }
}
