package hauberk.memory

import circt.stage.ChiselStage
import java.nio.file.{Files, Path, Paths}

/** Writes every attacked scheme for the adversary's bench: `FOLDER/NAME/engine.sv` and `FOLDER/NAME/scheme.json`.
  *
  * Usage: EmitEngines FOLDER [NAME ...]; without names, all of them.
  */
object EmitEngines {
  private val options = Array("--disable-all-randomization", "--strip-debug-info")

  def main(args: Array[String]): Unit = {
    val wanted = args.tail.toSeq
    val unknown = wanted.filterNot(AttackedScheme.all.map(_.name).contains)
    require(
      unknown.isEmpty,
      s"there is no scheme ${unknown.mkString(", ")}: name some of ${AttackedScheme.all.map(_.name).mkString(", ")}"
    )
    for (scheme <- AttackedScheme.all if wanted.isEmpty || wanted.contains(scheme.name)) {
      val folder = Files.createDirectories(Paths.get(args.head, scheme.name))
      val verilog = ChiselStage.emitSystemVerilog(new MemoryProtectionEngine(scheme.protection), firtoolOpts = options)
      write(folder.resolve("engine.sv"), verilog)
      write(folder.resolve("scheme.json"), ujson.write(scheme.json, indent = 2) + "\n")
    }
  }

  /** A file that stays as it is keeps its time, so that its bench need not be built anew. */
  private def write(file: Path, text: String): Unit =
    if (!Files.exists(file) || Files.readString(file) != text) Files.writeString(file, text)
}
