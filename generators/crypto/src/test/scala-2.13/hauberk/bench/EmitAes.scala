package hauberk.bench

import chisel3.RawModule
import circt.stage.ChiselStage
import hauberk.crypto.{AesCore, AesDirection}
import java.nio.file.{Files, Path, Paths}

/** Writes the Verilog of every bench variant: `EmitAes <folder>`, one file `<name>.v` each; for AES-128 encryption also
  * `<name>-streaming.v`, the core with a consumer that is always ready.
  */
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
      write(folder.resolve(s"$name.v"), new AesCore(params))
      if (params.keyBits == 128 && params.direction == AesDirection.Encrypt)
        write(folder.resolve(s"$name-streaming.v"), new StreamingAes(params))
    }
    println(s"EmitAes: wrote the Verilog of ${AesVariants.all.size} cores to $folder")
  }

  private def write(file: Path, module: => RawModule): Unit =
    Files.writeString(file, ChiselStage.emitSystemVerilog(module, firtoolOpts = options))
}
