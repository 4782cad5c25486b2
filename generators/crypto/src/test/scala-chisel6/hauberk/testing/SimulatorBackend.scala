package hauberk.testing

import chisel3._
import chisel3.simulator.SingleBackendSimulator
import svsim.CommonCompilationSettings.VerilogPreprocessorDefine
import svsim.{verilator, CommonCompilationSettings}

/** Chisel 6.7's simulator with Verilator. */
private[testing] object SimulatorBackend {
  private final class Verilator(val workspacePath: String) extends SingleBackendSimulator[verilator.Backend] {
    val backend = verilator.Backend.initializeFromProcessEnvironment()
    val tag = "verilator"
    val commonCompilationSettings = CommonCompilationSettings(
      verilogPreprocessorDefines = Seq(VerilogPreprocessorDefine("HAUBERK_CLOCK_GATES")),
      availableParallelism = CommonCompilationSettings.AvailableParallelism.UpTo(2)
    )
    val backendSpecificCompilationSettings = verilator.Backend.CompilationSettings(disableFatalExitOnWarnings = true)
  }

  def run[T <: Module](dut: => T)(body: (T, RunningSimulation) => Unit): Unit =
    SimulatorLog.withFolder { folder =>
      new Verilator(folder.toString).simulate(dut) { module =>
        body(module.wrapped, new RunningSimulation(module.port, module.controller))
      }.result
    }
}
