package hauberk.testing

import chisel3.Module
import chiseltest.formal.backends.HardwareAsTransitionSystem
import firrtl2.backends.experimental.smt.{BVExpr, BVLiteral, False, SMTLibSerializer}
import firrtl2.ir
import java.io.PrintWriter
import java.nio.file.{Files, Path, Paths}
import scala.jdk.CollectionConverters._
import scala.sys.process._

/** Bounded model checks of Chisel modules: no `assert` in the module fails in any run that keeps its every `assume`, whatever its inputs are
  * and whatever registers and memories held before reset, up to a number of cycles after it.
  *
  * The module goes through chiseltest to a transition system, is written out cycle by cycle ([[Unrolling]]) and given to z3.
  */
object Proof {

  /** What a check came to. */
  sealed trait Outcome
  case object Proved extends Outcome

  /** The assumptions contradict each other, so that nothing was proved. */
  case object Vacuous extends Outcome

  /** There is a run in which an assertion fails; with HAUBERK_PROOF_TRACES set, it is
    * written to generators/crypto/target/proofs/refuted.txt.
    */
  case object Refuted extends Outcome
  case object Undecided extends Outcome

  /** Longest run of the solver for one check, in seconds. */
  val patience = 900

  /** Write down the run that refutes a property. */
  private val traces = sys.env.contains("HAUBERK_PROOF_TRACES")
  private val folder = Paths.get("generators/crypto/target/proofs")
  private val tactic = "(check-sat-using (then simplify propagate-values solve-eqs elim-uncnstr simplify qfufbv))"

  /** Checks the first `depth` cycles after the one of reset.
    *
    * @param depth  number of cycles
    * @param twins  two instances that start alike: [[Unrolling]]
    * @param change to the elaborated design, such as a module in place of another
    */
  def check(
      depth: Int,
      twins: Option[(String, String)] = None,
      change: ir.Circuit => ir.Circuit = identity
  )(design: => Module): Outcome = {
    val unrolling = new Unrolling(HardwareAsTransitionSystem(design, change), twins)
    unrolling.advance()
    val cycles = (1 to depth).map { _ =>
      unrolling.advance()
      (unrolling.violations, unrolling.visible)
    }
    val violations = cycles.flatMap(_._1)
    require(violations.nonEmpty, "the module asserts nothing: there is nothing to prove")
    val possible = violations.filterNot(_ == False()).distinct
    Files.createDirectories(folder)
    val file = Files.createTempFile(folder, "proof", ".smt2")
    write(file, unrolling, possible, Nil)
    val (outcome, _) = solve(file)
    if (outcome == Refuted && traces) {
      write(file, unrolling, possible, cycles.flatMap(_._2))
      Files.write(folder.resolve("refuted.txt"), solve(file)._2.asJava)
    }
    Files.delete(file)
    outcome
  }

  private def write(file: Path, unrolling: Unrolling, violations: Seq[BVExpr], visible: Seq[(String, BVExpr)]): Unit = {
    val known = visible.filter { case (_, value) => !value.isInstanceOf[BVLiteral] }
    val out = new PrintWriter(file.toFile)
    unrolling.text(violations ++ known.map(_._2)).foreach(out.println)
    out.println("(push)")
    out.println(violations.map(text).mkString("(assert (or false ", " ", "))"))
    out.println(tactic)
    for ((name, value) <- known) { out.println(s"""(echo "$name") (eval ${text(value)})""") }
    out.println("(pop)")
    out.println(tactic)
    out.close()
  }
  private def text(e: BVExpr): String = SMTLibSerializer.serialize(e)

  /** The outcome, and the run that refutes the property: a line with cycle and name, a line with the value. */
  private def solve(file: Path): (Outcome, Seq[String]) = {
    val said = Process(Seq("z3", s"-T:$patience", file.toString)).lazyLines_!.map(_.trim).toList
    val verdicts = said.filter(Set("sat", "unsat", "unknown", "timeout"))
    val outcome = verdicts match {
      case "unsat" :: "sat" :: Nil => Proved
      case "unsat" :: "unsat" :: Nil => Vacuous
      case "sat" :: _ => Refuted
      case Nil => throw new IllegalStateException(s"z3 said ${said.take(5)} of $file")
      case _ => Undecided
    }
    (outcome, said.drop(1))
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
