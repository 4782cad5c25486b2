package hauberk.bus

import java.nio.file.{Files, Paths}

/** What the security hardware units cost, for `make bench`: a sweep of masks, and every medium at its peak rate.
  *
  * Usage: BusFigures FILE. Writes figures, bounds and whether they are met; fails if one is not.
  */
object BusFigures extends BusTiming {
  private case class Figure(name: String, value: Double, atMost: Option[Double]) {
    def met: Boolean = atMost.forall(value <= _)
    def json: ujson.Obj = ujson.Obj(
      "figure" -> name,
      "value" -> value,
      "bound" -> atMost.fold[ujson.Value](ujson.Null)(ujson.Num(_)),
      "direction" -> (if (atMost.isEmpty) "reported" else "at most"),
      "met" -> met
    )
  }

  private def sweep: Seq[Figure] = {
    val clear = inTheClear
    val swept = (1 to needed + 1).map { masks =>
      println(s"bus figures: $masks masks")
      (masks, withMasks(masks))
    }
    val added = swept.last._2._1.zip(clear).map { case (is, was) => is - was }.max
    val enough = swept.find(_._2._3 == 0).fold(swept.size + 1)(_._1)
    Seq(
      Figure("cycles added to a message, sending and receiving, when a mask is ready", added, Some(1)),
      Figure("masks from which nothing stalls, beyond ceil(AES latency / bus cycle)", enough - needed, Some(0))
    ) ++ swept.map { case (masks, (_, busy, _)) =>
      Figure(s"AES of 20 cycles, bus cycle of 6, $masks masks: bus cycles of 64 beats in a row", busy, None)
    }
  }

  private def peak(name: String, p: BusParams): Seq[Figure] = {
    println(s"bus figures: $name")
    val intervals = Seq(never, 100, 10, 1)
    intervals.zip(atPeak(p, 400, intervals)).map { case (interval, taken) =>
      val what = if (interval == never) "no authentication" else s"interval $interval"
      Figure(s"$name, $what: bus cycles of 400 beats in a row", taken, if (interval == never) Some(400) else None)
    }
  }

  def main(args: Array[String]): Unit = {
    require(args.length == 1, "BusFigures needs one argument: the JSON file to write")
    val figures = sweep ++ peak("the paper's medium", papersMedium) ++ peak("the fastest medium", fastestMedium)
    for (f <- figures) {
      println(
        f"${if (f.met) "ok    " else "MISSED"} ${f.value}%9.2f  (${f.atMost.fold("reported")("at most " + _)})  ${f.name}"
      )
    }
    val file = Paths.get(args(0)).toAbsolutePath
    Files.createDirectories(file.getParent)
    val json = ujson.Obj("command" -> "make bench", "figures" -> ujson.Arr(figures.map(_.json): _*))
    Files.write(file, ujson.write(json, indent = 2).getBytes)
    if (figures.exists(!_.met)) {
      Console.err.println("BusFigures: a figure misses its bound, see above")
      sys.exit(1)
    }
  }
}
