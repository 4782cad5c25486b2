package hauberk.bus

import hauberk.testing.Elaborate
import java.nio.file.{Files, Path, Paths}

/** Writes every attacked bus for the adversary's bench: `FOLDER/NAME/bus.sv` and `FOLDER/NAME/scheme.json`.
  *
  * Usage: EmitBuses FOLDER [NAME ...]; without names, all of them.
  */
object EmitBuses {
  def main(args: Array[String]): Unit = {
    val wanted = args.tail.toSeq
    val unknown = wanted.filterNot(AttackedBus.all.map(_.name).contains)
    require(
      unknown.isEmpty,
      s"there is no bus ${unknown.mkString(", ")}: name some of ${AttackedBus.all.map(_.name).mkString(", ")}"
    )
    for (bus <- AttackedBus.all if wanted.isEmpty || wanted.contains(bus.name)) {
      val folder = Files.createDirectories(Paths.get(args.head, bus.name))
      write(folder.resolve("bus.sv"), Elaborate(new BusUnderAttack(bus.params)))
      write(folder.resolve("scheme.json"), ujson.write(bus.json, indent = 2) + "\n")
    }
  }

  /** A file that stays as it is keeps its time, so that its bench need not be built anew. */
  private def write(file: Path, text: String): Unit =
    if (!Files.exists(file) || Files.readString(file) != text) Files.writeString(file, text)
}
