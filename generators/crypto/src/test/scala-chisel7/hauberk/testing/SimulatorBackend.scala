package hauberk.testing

import chisel3._
import java.nio.file.Path
import chisel3.simulator.{Randomization, Settings}
import svsim.CommonCompilationSettings.VerilogPreprocessorDefine
import svsim.verilator.Backend.CompilationSettings.{TraceKind, TraceStyle}
import svsim.{verilator, CommonCompilationSettings}

/** Chisel 7's simulator with Verilator. */
private[testing] object SimulatorBackend {
  private final class Verilator(val workspacePath: String, isTraced: Boolean)
      extends chisel3.simulator.Simulator[verilator.Backend] {
    val backend = verilator.Backend.initializeFromProcessEnvironment()
    val tag = "verilator"
    val commonCompilationSettings = CommonCompilationSettings(
      verilogPreprocessorDefines = Seq(VerilogPreprocessorDefine("HAUBERK_CLOCK_GATES")),
      availableParallelism = CommonCompilationSettings.AvailableParallelism.UpTo(2)
    )
    val backendSpecificCompilationSettings =
      verilator.Backend.CompilationSettings.default.withDisableFatalExitOnWarnings(true).withTraceStyle(
        if (isTraced) Some(TraceStyle(TraceKind.Vcd, traceUnderscore = true)) else None
      )
  }

  /** A simulator in a folder, which also gets the trace. This Chisel builds it when it runs. */
  def built[T <: Module](folder: Path, isTraced: Boolean, dut: => T): Simulator[T] = new Simulator[T] {
    def run(body: (T, RunningSimulation) => Unit): Unit = {
      // Registers are randomised at time zero: a delay would let Verilator's scheduler race with the first poke.
      val settings = Settings.default[T].copy(randomization = Randomization.random.copy(delay = None))
      new Verilator(folder.toString, isTraced).simulate(dut, settings = settings) { module =>
        body(module.wrapped, new RunningSimulation(module.port, module.controller))
      }.result
    }
  }
}
