package hauberk.tools

import java.nio.file.Path
import scala.util.Try

/** What a program says of itself on the UART; each is a line of its own, the last of a kind counts.
  *
  * @param checksum FNV-1a (64 bits) of its results
  * @param cycles   cycles its kernel took
  * @param instret  instructions its kernel retired
  */
case class UartLog(checksum: Option[BigInt], cycles: Option[BigInt], instret: Option[BigInt])

/** Takes the last value of each name from the output of a program. */
object UartLog {
  def read(path: Path): UartLog = parse(Files.readText(path, "UART log"))

  def parse(text: String): UartLog = {
    val words = text.split("[\r\n]+").toSeq.map(_.trim.split(" +").toSeq)
    def last(name: String, radix: Int) =
      words.collect { case Seq(`name`, value) => Try(BigInt(value, radix)).toOption.filter(_ >= 0) }.flatten.lastOption
    UartLog(last("checksum", 16), last("cycles", 10), last("instret", 10))
  }
}

/** The checksum of programs. */
object Fnv1a {
  def apply(bytes: Array[Byte]): BigInt =
    BigInt(java.lang.Long.toUnsignedString(bytes.foldLeft(0xcbf29ce484222325L)((hash, byte) =>
      (hash ^ (byte & 0xff)) * 0x100000001b3L
    )))
}
