package hauberk.testing

import chisel3._
import firrtl.FirrtlExecutionSuccess
import java.nio.file.Files

/** Elaborates a module and hands back its Verilog; throws what the elaboration or the compiler refuses. */
object Elaborate {
  def apply(module: => RawModule): String = {
    val folder = Files.createTempDirectory("hauberk-elaborate")
    try {
      chisel3.Driver.execute(Array("--target-dir", folder.toString), () => module) match {
        case ChiselExecutionSuccess(_, _, Some(FirrtlExecutionSuccess(_, verilog))) => verilog
        case failure => throw new IllegalArgumentException(s"elaboration failed: $failure")
      }
    } finally {
      folder.toFile.listFiles.foreach(_.delete())
      Files.delete(folder)
    }
  }
}
