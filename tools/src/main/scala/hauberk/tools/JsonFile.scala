package hauberk.tools

import java.nio.file.Path
import scala.util.Try

/** One object of a JSON file, with errors that name the file and the field. Numbers may be written as JSON numbers or as strings such as
  * "0x80000000", which keep all 64 bits.
  *
  * @param origin where the object comes from, for messages
  */
class JsonFile(origin: String, fields: collection.Map[String, ujson.Value]) {
  def text(name: String): String = field(name, "a text", _.strOpt)
  def flag(name: String): Boolean = field(name, "true or false", _.boolOpt)
  def number(name: String): BigInt = field(name, "a number", JsonFile.toNumber)
  def int(name: String): Int = field(name, "a small number", JsonFile.toNumber(_).filter(_.isValidInt).map(_.toInt))
  def numbers(name: String): Seq[BigInt] =
    field(
      name,
      "a list of numbers",
      _.arrOpt.map(_.map(JsonFile.toNumber)).filter(_.forall(_.isDefined)).map(_.flatten.toSeq)
    )
  def bytes(name: String, count: Int): Array[Byte] =
    field(name, s"${2 * count} hexadecimal digits", _.strOpt.flatMap(Hex.parse(_, count)))
  def child(name: String): JsonFile =
    new JsonFile(s"$origin, $name", field(name, "an object", _.objOpt))
  def children(name: String): Seq[JsonFile] =
    field(name, "a list of objects", _.arrOpt.map(_.map(_.objOpt)).filter(_.forall(_.isDefined))).flatten.zipWithIndex
      .map { case (found, index) => new JsonFile(s"$origin, $name[$index]", found) }

  /** Whether the field is there and not null. */
  def has(name: String): Boolean = fields.get(name).exists(!_.isNull)

  /** The object as it was read. */
  def value: ujson.Obj = ujson.Obj.from(fields)

  private def field[T](name: String, expected: String, read: ujson.Value => Option[T]): T =
    fields.get(name).flatMap(read).getOrElse(
      throw new UserError(
        s"$origin: the field $name should be $expected, but is ${fields.get(name).fold("missing")(_.render())}"
      )
    )
}

/** Reads a file whose content is one JSON object, else refuses it. */
object JsonFile {
  def read(path: Path, what: String): JsonFile = {
    val text = Files.readText(path, what)
    val fields = Try(ujson.read(text)).toOption.flatMap(_.objOpt)
      .getOrElse(throw new UserError(s"the $what at $path is not a JSON object"))
    new JsonFile(path.toString, fields)
  }

  private def toNumber(value: ujson.Value): Option[BigInt] =
    value.numOpt.filter(n => n == math.rint(n)).map(n => BigDecimal(n).toBigInt)
      .orElse(value.strOpt.flatMap { text =>
        Try(if (text.startsWith("0x")) BigInt(text.drop(2), 16) else BigInt(text)).toOption
      })
}
