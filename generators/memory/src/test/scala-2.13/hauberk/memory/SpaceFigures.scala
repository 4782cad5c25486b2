package hauberk.memory

import java.nio.file.{Files, Paths}

/** What the metadata of every preset take in memory, and how much of it is zeroed after reset, from the layout that the hardware is built
  * with. Writes the figures as JSON and fails if one misses its bound.
  *
  * Usage: SpaceFigures FILE
  */
object SpaceFigures {
  private val blockBytes = 64

  /** Of split counters with MACs, as a share of the data. */
  private val bound = Map("BonsaiTree" -> 0.15)

  private case class Space(name: String, mebibytes: Int) {
    private val params = ProtectionParams.presets(name)
    private val layout = Protection.layout(params, BigInt(mebibytes) << 20, blockBytes)
    private def perData(lines: BigInt): Double = (lines * blockBytes).toDouble / layout.dataBytes.toDouble
    val counters: Double = perData(layout.counterLines)
    val versions: Double = perData(layout.versionLines)
    val tags: Double = perData(layout.tagLines)
    val nodes: Double = perData(layout.levels.map(_.lines).sum)
    val share: Double = counters + versions + tags + nodes
    val zeroed: BigInt =
      if (params.counters.needsInitialisation(params.integrity.guardsCounters)) layout.counterLines else 0
    def met: Boolean = bound.get(name).forall(share <= _)
    def json: ujson.Obj = ujson.Obj(
      "figure" -> s"metadata of $name in $mebibytes MiB, as a share of the data",
      "value" -> share,
      "bound" -> bound.get(name).map(ujson.Num(_)).getOrElse(ujson.Null),
      "direction" -> (if (bound.contains(name)) "at most" else "reported"),
      "met" -> met,
      "note" -> f"counters $counters%.4f, versions $versions%.4f, tags $tags%.4f, nodes $nodes%.4f",
      "data_bytes" -> layout.dataBytes.toDouble,
      "zeroed_lines" -> zeroed.toDouble
    )
    def row: String = {
      val verdict = if (met) "ok    " else "MISSED"
      f"$verdict $name%-24s $mebibytes%3d MiB: ${100 * share}%5.2f %% of data (counters ${100 * counters}%5.2f, versions " +
        f"${100 * versions}%5.2f, tags ${100 * tags}%5.2f, nodes ${100 * nodes}%5.2f), $zeroed%6d lines zeroed after reset"
    }
  }

  def main(arguments: Array[String]): Unit = {
    val spaces = for {
      name <- ProtectionParams.presets.keys.toSeq.sorted
      mebibytes <- Seq(16, 64)
    } yield Space(name, mebibytes)
    spaces.foreach(space => println(space.row))
    val report = ujson.Obj("command" -> "scripts/bench space", "figures" -> ujson.Arr.from(spaces.map(_.json)))
    Files.write(Paths.get(arguments.head), (report.render(indent = 2) + "\n").getBytes("UTF-8"))
    if (!spaces.forall(_.met)) sys.exit(1)
  }
}
