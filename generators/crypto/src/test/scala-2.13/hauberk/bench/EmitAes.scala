package hauberk.bench

import circt.stage.ChiselStage
import java.nio.file.{Files, Paths}

/** Writes the Verilog of every bench variant: `EmitAes <folder>`, two files each, `<name>.v` and `<name>-streaming.v`. */
object EmitAes {
  private val options = Array(
    "--disable-all-randomization",
    "--strip-debug-info",
    "--lowering-options=disallowLocalVariables,disallowPackedArrays"
  )

  def main(args: Array[String]): Unit = {
    val folder = Files.createDirectories(Paths.get(args.head))
    for (params <- AesVariants.all) {
      val name = AesVariants.name(params)
      Files.writeString(
        folder.resolve(s"$name.v"),
        ChiselStage.emitSystemVerilog(new hauberk.crypto.AesCore(params), firtoolOpts = options)
      )
      Files.writeString(
        folder.resolve(s"$name-streaming.v"),
        ChiselStage.emitSystemVerilog(new StreamingAes(params), firtoolOpts = options)
      )
    }
    println(s"EmitAes: wrote ${2 * AesVariants.all.size} files to $folder")
  }
}
