package hauberk.testing

import firrtl2.backends.experimental.smt._
import hauberk.testing.AndInverterGraph._
import java.io.OutputStream

/** A transition system as one circuit with latches, for a model checker.
  *
  * Reset is held for the first cycle and never again; before it, registers and memories hold anything. A bit that reset does not make a constant
  * is what the reset cycle made of free inputs until the first clock edge after reset.
  *
  * @param system   from `HardwareAsTransitionSystem`
  * @param twins    two instances in the top module that hold the same before reset, and see the same wherever the design leaves a value open
  * @param maxWords a memory of more words is refused
  */
final class SafetyCircuit(system: TransitionSystem, twins: Option[(String, String)] = None, maxWords: Int = 256) {
  private type Word = Vector[Bit]
  private val graph = new AndInverterGraph
  import graph._

  /** The values of a cycle, by name; a register is a memory of one word. */
  private type Values = Map[String, Vector[Word]]
  private case class Cycle(values: Values, next: Values) {
    private def labelled(label: SignalLabel): Seq[Bit] =
      system.signals.filter(_.lbl == label).map(signal => values(signal.name).head.head)
    val holds: Bit = all(labelled(IsConstraint))
    val fails: Bit = any(labelled(IsBad))
  }

  /** Of the instance that is the other's twin, the name in that one. */
  private def twinOf(name: String): Option[String] =
    twins.collect {
      case (one, two) if name.startsWith(two + "_") || name.startsWith(two + ".") => one + name.drop(two.length)
    }
  private def shape(symbol: SMTSymbol): (Int, Int) = symbol match {
    case BVSymbol(_, width) => (1, width)
    case ArraySymbol(name, indexWidth, width) =>
      require(
        indexWidth < 30 && (1 << indexWidth) <= maxWords,
        s"memory $name has 2^$indexWidth words, and more than $maxWords are too many for a proof: choose smaller parameters"
      )
      (1 << indexWidth, width)
    case other => throw new IllegalArgumentException(s"$other is no state of a design")
  }

  /** Anything, but the same for twins. */
  private def free(symbols: Seq[SMTSymbol]): Values =
    symbols.sortBy(symbol => twinOf(symbol.name).isDefined).foldLeft(Map.empty: Values) { (known, symbol) =>
      val (words, width) = shape(symbol)
      known + (symbol.name -> twinOf(symbol.name)
        .flatMap(known.get)
        .getOrElse(Vector.fill(words)(Vector.fill(width)(input()))))
    }

  private def cycle(reset: Bit, states: Values): Cycle = {
    var now = states ++ free(system.inputs.filter(_.name != "reset")) + ("reset" -> Vector(Vector(reset)))
    val blaster = new BitBlaster(graph, name => now(name).head, name => now(name))
    def words(e: SMTExpr): Vector[Word] = e match {
      case e: BVExpr => Vector(blaster.vector(e))
      case e: ArrayExpr => blaster.memoryWords(e)
    }
    for (signal <- system.signals) { now += signal.name -> words(signal.e) }
    Cycle(now, system.states.map(state => state.name -> state.next.fold(now(state.name))(words)).toMap)
  }

  private val started = latch()
  connect(started, One)
  private val first = cycle(One, free(system.states.map(_.sym)))

  /** Each bit that is a latch, and whether it is inverted. */
  private val held = first.next.map { case (name, words) => name -> words.map(_.map(bit => (latch(), bit == One))) }
  private val later = cycle(
    Zero,
    first.next.map { case (name, words) =>
      name -> words.zip(held(name)).map { case (word, latches) =>
        word.zip(latches).map {
          case (bit, (latch, inverted)) if bit == Zero || bit == One => if (inverted) not(latch) else latch
          case (bit, (latch, _)) => mux(started, latch, bit)
        }
      }
    }
  )
  for {
    (name, words) <- later.next
    (word, latches) <- words.zip(held(name))
    (bit, (latch, inverted)) <- word.zip(latches)
  } connect(latch, if (inverted) not(bit) else bit)

  /** Every assumption has held since reset. */
  private val broken = latch()
  private val holds = all(Seq(not(broken), later.holds, or(started, first.holds)))
  connect(broken, not(holds))

  val assertsNothing: Boolean = !system.signals.exists(_.lbl == IsBad)
  val assumesNothing: Boolean = !system.signals.exists(_.lbl == IsConstraint)

  /** Writes a circuit whose output shows that an assertion fails while all assumptions hold. */
  def writeFailure(to: OutputStream): Unit = graph.write(and(holds, later.fails), to)

  /** Writes a circuit whose output shows that all assumptions have held for a number of cycles. */
  def writeAssumptions(cycles: Int, to: OutputStream): Unit = {
    val ages = Seq.fill(cycles)(latch())
    for ((age, before) <- ages.zip(One +: ages)) { connect(age, before) }
    graph.write(and(holds, ages.last), to)
  }
}
