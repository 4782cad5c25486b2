package hauberk.tools

import java.nio.file.Path
import scala.util.Try

/** What a program says of itself on the UART; each is a line of its own, the last of a kind counts.
  *
  * @param checksum FNV-1a (64 bits) of its results
  */
case class UartLog(checksum: Option[BigInt])

/** Takes the last value of each name from the output of a program. */
object UartLog {
  def read(path: Path): UartLog = parse(Files.readText(path, "UART log"))

  def parse(text: String): UartLog = {
    val words = text.split("[\r\n]+").toSeq.map(_.trim.split(" +").toSeq)
    UartLog(words.collect { case Seq("checksum", value) =>
      Try(BigInt(value, 16)).toOption.filter(_ >= 0)
    }.flatten.lastOption)
  }
}

/** The checksum of programs. */
object Fnv1a {
  def apply(bytes: Array[Byte]): BigInt =
    BigInt(java.lang.Long.toUnsignedString(bytes.foldLeft(0xcbf29ce484222325L)((hash, byte) =>
      (hash ^ (byte & 0xff)) * 0x100000001b3L
    )))
}
