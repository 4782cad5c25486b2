package hauberk.testing

import chisel3._
import firrtl.transforms.BlackBoxHelperAnno
import firrtl.{ChirrtlForm, CircuitState, VerilogCompiler}

/** Elaborates a module and hands back its Verilog; throws what the elaboration or the compiler refuses. */
object Elaborate {
  def apply(module: => RawModule): String = {
    val circuit = chisel3.Driver.elaborate(() => module)
    // The files of black boxes would land in the working directory
    val annotations = circuit.annotations.map(_.toFirrtl).filter {
      case _: BlackBoxHelperAnno => false
      case _ => true
    }
    val state = CircuitState(chisel3.Driver.toFirrtl(circuit), ChirrtlForm, annotations)
    new VerilogCompiler().compileAndEmit(state).getEmittedCircuit.value
  }
}
