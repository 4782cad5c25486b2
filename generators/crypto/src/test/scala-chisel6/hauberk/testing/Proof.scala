package hauberk.testing

import chisel3.Module
import chiseltest.formal.backends.HardwareAsTransitionSystem
import firrtl2.ir
import java.io.OutputStream
import java.nio.file.{Files, Paths}
import scala.sys.process._

/** Model checks of Chisel modules: no `assert` in the module fails in any run that keeps its every `assume`, whatever its inputs are and whatever
  * registers and memories held before reset.
  *
  * The module goes through chiseltest to a transition system, becomes a circuit of gates and latches ([[SafetyCircuit]]) and is given to ABC.
  */
object Proof {

  /** What a check came to. */
  sealed trait Outcome

  /** In every cycle, or in every cycle up to the bound of the check. */
  case object Proved extends Outcome

  /** No run keeps the assumptions for long, so that nothing was proved. */
  case object Vacuous extends Outcome

  /** There is a run in which an assertion fails. */
  case object Refuted extends Outcome
  case object Undecided extends Outcome

  /** Cycles that assumptions must allow. */
  private val cyclesOfAssumptions = 24
  private val folder = Paths.get("generators/crypto/target/proofs")

  /** Bits that are always alike become one: of two copies of a design, only the different parts are left. */
  private val simplify = "&get; &scl; &lcorr; &scorr; &put"

  /** Checks all cycles, by property-directed reachability, or some cycles from reset: by bounded model checking, or, of twins, by unrolling, in which their
    * common parts become one.
    *
    * @param cycles number of cycles after the one of reset, if not all
    * @param twins  two instances that start alike: [[SafetyCircuit]]
    * @param change to the elaborated design, such as a module in place of another
    * @param patience the longest run of ABC, in seconds
    */
  def check(
      cycles: Option[Int] = None,
      twins: Option[(String, String)] = None,
      change: ir.Circuit => ir.Circuit = identity,
      patience: Int = 900
  )(design: => Module): Outcome = {
    val circuit = new SafetyCircuit(HardwareAsTransitionSystem(design, change), twins)
    require(!circuit.assertsNothing, "the module asserts nothing: there is nothing to prove")
    def run(write: OutputStream => Unit, script: String, proved: String) =
      verdict(modelCheck(write, script, patience), proved)
    def within(cycles: Int) = (s"bmc3 -F $cycles", s"No output asserted in $cycles frames")
    def unrolled(cycles: Int) = (s"frames -i -F $cycles; strash; orpos; iprove", "UNSATISFIABLE")
    val bounded = if (twins.isEmpty) within _ else unrolled _
    lazy val (untilThen, none) = within(cyclesOfAssumptions + 1)
    lazy val isPossible = run(circuit.writeAssumptions(cyclesOfAssumptions, _), untilThen, none) == Refuted
    val (search, proved) = cycles.fold((s"$simplify; pdr -nc", "Property proved"))(bounded)
    if (circuit.assumesNothing || isPossible) run(circuit.writeFailure, search, proved) else Vacuous
  }

  private def verdict(said: Option[String], proved: String): Outcome = said match {
    case None => Undecided
    case Some(text) if text.contains("was asserted in frame") => Refuted
    case Some(text) if text.contains(proved) => Proved
    case Some(text) if text.contains("SATISFIABLE") => Refuted
    case Some(text) if text.contains("UNDECIDED") => Undecided
    case Some(text) => throw new IllegalStateException(s"ABC said: $text")
  }

  /** What ABC says, if it ends in time: with a limit of its own, it would end with a verdict on fewer cycles. */
  private def modelCheck(write: OutputStream => Unit, script: String, patience: Int): Option[String] = {
    val file = Files.createTempFile(Files.createDirectories(folder), "proof", ".aig")
    val out = Files.newOutputStream(file)
    try write(out)
    finally out.close()
    val said = new StringBuilder
    val command = Seq("timeout", patience.toString, "yosys-abc", "-q", s"read_aiger $file; $script")
    val code = Process(command).!(ProcessLogger(line => said.append(line).append('\n')))
    Files.delete(file)
    Option.when(code != 124)(said.toString)
  }

  /** Puts one module in the place of others whose ports are the same.
    *
    * @param name of the modules to replace, without the number that elaboration appends
    * @param by   name of the module to stand in for them; it must be somewhere in the design
    */
  def replace(name: String, by: String)(circuit: ir.Circuit): ir.Circuit = {
    require(
      circuit.modules.exists(_.name == by),
      s"the design has no module $by to stand in for $name: instantiate one in the bench"
    )
    def inside(s: ir.Statement): ir.Statement = s match {
      case i: ir.DefInstance if isCopyOf(name, i.module) => i.copy(module = by)
      case other => other.mapStmt(inside)
    }
    circuit.copy(modules = circuit.modules.map(_.mapStmt(inside)))
  }

  /** Breaks a design: whatever a signal is or is assigned, it gets a constant instead.
    *
    * @param module the module, without the number that elaboration appends
    * @param signal its name, or the name of the vector whose every element is meant
    */
  def tie(module: String, signal: String, value: BigInt)(circuit: ir.Circuit): ir.Circuit = {
    var ties = 0
    def inside(s: ir.Statement): ir.Statement = s match {
      case c: ir.Connect if base(c.loc) == signal =>
        ties += 1
        c.copy(expr = ir.UIntLiteral(value))
      case n: ir.DefNode if n.name == signal =>
        ties += 1
        n.copy(value = ir.UIntLiteral(value))
      case other => other.mapStmt(inside)
    }
    val changed =
      circuit.copy(modules = circuit.modules.map(m => if (isCopyOf(module, m.name)) m.mapStmt(inside) else m))
    require(ties > 0, s"module $module assigns nothing to $signal: the mutation changes nothing")
    changed
  }

  private def isCopyOf(name: String, module: String): Boolean = module.matches(s"$name(_\\d+)?")
  private def base(e: ir.Expression): String = e match {
    case ir.SubIndex(inner, _, _, _) => base(inner)
    case ir.SubAccess(inner, _, _, _) => base(inner)
    case other => other.serialize
  }
}
