package hauberk.testing

import chisel3._
import circt.stage.ChiselStage

/** Elaborates a module and hands back its SystemVerilog; throws what the elaboration or the compiler refuses. */
object Elaborate {
  def apply(module: => RawModule): String = ChiselStage.emitSystemVerilog(module)
}
