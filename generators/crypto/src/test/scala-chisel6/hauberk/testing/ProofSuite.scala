package hauberk.testing

import chisel3.Module
import firrtl2.ir.Circuit
import org.scalatest.Tag
import org.scalatest.funsuite.AnyFunSuite

/** Proofs, each a test whose name `scripts/prove` reads: the property's letter, its scope, and the design or mutant. */
abstract class ProofSuite extends AnyFunSuite {

  /** A property holds in all cycles, or in some cycles from reset. */
  protected def holds(
      property: Char,
      design: String,
      cycles: Option[Int] = None,
      twins: Option[(String, String)] = None,
      change: Circuit => Circuit = identity,
      tags: Seq[Tag] = Nil
  )(module: => Module): Unit =
    test(s"($property) ${cycles.fold("without bound")(n => s"$n cycles")}: $design", tags: _*) {
      assert(Proof.check(cycles, twins, change)(module) == Proof.Proved)
    }

  /** A broken design violates a property within some cycles. */
  protected def refuted(
      property: Char,
      mutant: String,
      cycles: Int,
      twins: Option[(String, String)] = None,
      change: Circuit => Circuit = identity
  )(module: => Module): Unit =
    test(s"($property) mutant: $mutant") {
      assert(Proof.check(Some(cycles), twins, change)(module) == Proof.Refuted)
    }

  /** There is a run to a case, which the module asserts never to happen. */
  protected def reached(property: Char, what: String, cycles: Int, change: Circuit => Circuit = identity)(
      module: => Module
  ): Unit =
    test(s"($property) reached: $what") {
      assert(Proof.check(Some(cycles), change = change)(module) == Proof.Refuted)
    }
}
