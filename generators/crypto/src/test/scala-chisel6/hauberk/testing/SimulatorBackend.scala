package hauberk.testing

import chisel3._
import java.nio.file.Path
import chisel3.simulator.SingleBackendSimulator
import svsim.CommonCompilationSettings.VerilogPreprocessorDefine
import svsim.verilator.Backend.CompilationSettings.TraceStyle
import svsim.{verilator, CommonCompilationSettings}

/** Chisel 6.7's simulator with Verilator. */
private[testing] object SimulatorBackend {
  private final class Verilator(val workspacePath: String, isTraced: Boolean)
      extends SingleBackendSimulator[verilator.Backend] {
    val backend = verilator.Backend.initializeFromProcessEnvironment()
    val tag = "verilator"
    val commonCompilationSettings = CommonCompilationSettings(
      verilogPreprocessorDefines = Seq(VerilogPreprocessorDefine("HAUBERK_CLOCK_GATES")),
      availableParallelism = CommonCompilationSettings.AvailableParallelism.UpTo(2)
    )
    val backendSpecificCompilationSettings = verilator.Backend.CompilationSettings(
      traceStyle = if (isTraced) Some(TraceStyle.Vcd(traceUnderscore = true)) else None,
      disableFatalExitOnWarnings = true
    )
  }

  /** Builds the simulator in a folder, which also gets the trace, and runs the body. */
  def run[T <: Module](folder: Path, isTraced: Boolean, dut: => T)(body: (T, RunningSimulation) => Unit): Unit =
    new Verilator(folder.toString, isTraced).simulate(dut) { module =>
      body(module.wrapped, new RunningSimulation(module.port, module.controller))
    }.result
}
