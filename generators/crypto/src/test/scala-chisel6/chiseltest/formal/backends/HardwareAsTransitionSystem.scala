package chiseltest.formal.backends

import chisel3.Module
import chiseltest.simulator.Compiler
import firrtl2._
import firrtl2.backends.experimental.smt._
import firrtl2.backends.experimental.smt.random.{InvalidToRandomPass, UndefinedMemoryBehaviorPass}
import firrtl2.options.{Dependency, TargetDirAnnotation}
import firrtl2.stage.{
  CurrentFirrtlStateAnnotation,
  FirrtlCircuitAnnotation,
  FirrtlPhase,
  Forms,
  RunFirrtlTransformAnnotation
}
import firrtl2.transforms.formal.DontAssertSubmoduleAssumptionsAnnotation

/** The path of chiseltest's `verify` from hardware to a transition system, without the solver behind it, whose encoding (an uninterpreted
  * sort of states, an incremental solver) is too slow for two copies of an engine. It lives in this package since chiseltest keeps the path
  * to itself.
  *
  * As there, whatever FIRRTL leaves undefined, such as what a synchronous memory reads in the cycle it is written, is a free input. FIRRTL's
  * propagation of constants, which fails on some of these inputs, is left out: ABC propagates them.
  */
object HardwareAsTransitionSystem {

  /** @param change is made to the elaborated design before anything else. */
  def apply(design: => Module, change: ir.Circuit => ir.Circuit): TransitionSystem = {
    val folder = TargetDirAnnotation("generators/crypto/target/proofs")
    val (elaborated, _) = Compiler.elaborate(() => design, Seq(folder), Seq())
    val changed = elaborated.copy(circuit = change(elaborated.circuit))
    val low = Compiler.toLowFirrtl(changed, Seq(DontAssertSubmoduleAssumptionsAnnotation))
    val passes = Seq(
      Dependency(SMTLibEmitter),
      Dependency(UndefinedMemoryBehaviorPass),
      Dependency(InvalidToRandomPass),
      Dependency(FlattenPass),
      Dependency[firrtl2.passes.InlineInstances],
      Dependency(firrtl2.passes.CommonSubexpressionElimination),
      Dependency[firrtl2.transforms.DeadCodeElimination]
    )
    val annotations: AnnotationSeq = Seq(
      FirrtlCircuitAnnotation(low.circuit),
      new CurrentFirrtlStateAnnotation(Forms.LowForm)
    ) ++ passes.map(RunFirrtlTransformAnnotation(_)) ++ low.annotations
    new FirrtlPhase().transform(annotations).collectFirst { case TransitionSystemAnnotation(system) => system }.get
  }
}
