package hauberk.testing

import chisel3._
import firrtl.{ChirrtlForm, CircuitState, VerilogCompiler}

/** Elaborates a module and hands back its Verilog; throws what the elaboration or the compiler refuses. */
object Elaborate {
  def apply(module: => RawModule): String = {
    val circuit = chisel3.Driver.elaborate(() => module)
    val annotations = circuit.annotations.map(_.toFirrtl)
    val state = CircuitState(chisel3.Driver.toFirrtl(circuit), ChirrtlForm, annotations)
    new VerilogCompiler().compileAndEmit(state).getEmittedCircuit.value
  }
}
