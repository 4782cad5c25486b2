package hauberk.testing

import java.nio.file.{Files, Paths}

/** A figure that `make bench` measures, beside its bound if it has one.
  *
  * @param atLeast the bound is a lower one
  * @param note    what a reader must know beside the name
  */
case class Figure(name: String, value: Double, bound: Option[Double], atLeast: Boolean, note: String) {
  def met: Boolean = bound.forall(b => if (atLeast) value >= b else value <= b)
  private def direction = if (bound.isEmpty) "reported" else if (atLeast) "at least" else "at most"
  private def line =
    f"${if (met) "ok    " else "MISSED"} $value%9.4f  (${(direction +: bound.map(_.toString).toSeq).mkString(" ")})  $name"
  private def json = ujson.Obj(
    "figure" -> name,
    "value" -> value,
    "bound" -> bound.fold[ujson.Value](ujson.Null)(ujson.Num(_)),
    "direction" -> direction,
    "met" -> met,
    "note" -> note
  )
}

object Figure {
  def atMost(name: String, value: Double, bound: Double, note: String = ""): Figure =
    Figure(name, value, Some(bound), atLeast = false, note)
  def atLeast(name: String, value: Double, bound: Double, note: String = ""): Figure =
    Figure(name, value, Some(bound), atLeast = true, note)
  def reported(name: String, value: Double, note: String = ""): Figure =
    Figure(name, value, None, atLeast = false, note)

  /** Measures one part after the other, prints the figures, writes them with `facts` to the JSON file that is the only argument, and ends the
    * program with 1 if one misses its bound.
    */
  def record(arguments: Array[String], parts: Seq[(String, () => Seq[Figure])], facts: (String, String)*): Unit = {
    require(arguments.length == 1, "figures need one argument: the JSON file to write")
    val figures = parts.zipWithIndex.flatMap { case ((name, measure), i) =>
      println(s"figures ${i + 1}/${parts.size}: $name")
      measure()
    }
    figures.foreach(figure => println(figure.line))
    val file = Paths.get(arguments.head).toAbsolutePath
    Files.createDirectories(file.getParent)
    val json = ujson.Obj("command" -> "make bench")
    for ((name, value) <- facts) json(name) = value
    json("figures") = ujson.Arr.from(figures.map(_.json))
    Files.write(file, ujson.write(json, indent = 2).getBytes("UTF-8"))
    if (!figures.forall(_.met)) {
      Console.err.println("figures: one misses its bound, see above")
      sys.exit(1)
    }
  }
}
