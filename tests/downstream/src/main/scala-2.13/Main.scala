package downstream

import circt.stage.ChiselStage

/** Elaborates the engine from published artifacts. */
object Main extends App {
  val verilog = ChiselStage.emitSystemVerilog(new ProtectedEngine)
  require(verilog.contains("module MemoryProtectionEngine"), "the Verilog has no MemoryProtectionEngine")
  println(s"elaborated: ${verilog.linesIterator.size} lines of SystemVerilog")
}
