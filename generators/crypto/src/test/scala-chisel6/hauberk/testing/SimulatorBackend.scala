package hauberk.testing

import chisel3._
import chisel3.simulator.{Simulator => _, _}
import java.nio.file.Path
import svsim.CommonCompilationSettings.VerilogPreprocessorDefine
import svsim.verilator.Backend.CompilationSettings
import svsim.verilator.Backend.CompilationSettings.TraceStyle
import svsim.{verilator, CommonCompilationSettings, Workspace}

/** Chisel 6.7's simulator with Verilator. */
private[testing] object SimulatorBackend {
  private val settings = CommonCompilationSettings(
    verilogPreprocessorDefines = Seq(VerilogPreprocessorDefine("HAUBERK_CLOCK_GATES")),
    availableParallelism = CommonCompilationSettings.AvailableParallelism.UpTo(2)
  )

  /** Builds the simulator in a folder, which also gets the trace. */
  def built[T <: Module](folder: Path, isTraced: Boolean, dut: => T): Simulator[T] = {
    val workspace = new Workspace(folder.toString)
    workspace.reset()
    val design = workspace.elaborateGeneratedModule(() => dut)
    workspace.generateAdditionalSources()
    val ofVerilator = CompilationSettings(
      traceStyle = if (isTraced) Some(TraceStyle.Vcd(traceUnderscore = true)) else None,
      disableFatalExitOnWarnings = true
    )
    val simulation = workspace.compile(verilator.Backend.initializeFromProcessEnvironment())(
      "verilator",
      settings,
      ofVerilator,
      customSimulationWorkingDirectory = None,
      verbose = false
    )
    new Simulator[T] {
      def run(body: (T, RunningSimulation) => Unit): Unit = simulation.runElaboratedModule(design) { module =>
        body(module.wrapped, new RunningSimulation(module.port, module.controller))
      }
    }
  }
}
