package hauberk.testing

import firrtl2.backends.experimental.smt._
import scala.collection.mutable

/** A transition system written out cycle by cycle in SMT-LIB, for a solver that sees all cycles at once.
  *
  * Reset is held for the first cycle and never again; before it, registers and memories hold anything. Memories are written out word by word,
  * so that the solver needs bit vectors only. Expressions that are the same are written once, and constants are propagated, so that of two
  * copies of a design only what differs is left. The solver is told only what a property or an assumption depends on.
  *
  * @param system   from `HardwareAsTransitionSystem`
  * @param twins    two instances in the top module that hold the same before reset, and see the same wherever the design leaves a value open
  * @param maxWords a memory of more words is refused
  */
final class Unrolling(system: TransitionSystem, twins: Option[(String, String)] = None, maxWords: Int = 256) {
  private case class Line(text: String, needs: Seq[String])
  private val declared = mutable.LinkedHashMap.empty[String, Line]
  private val assumed = mutable.ArrayBuffer.empty[BVExpr]
  private val functions = TransitionSystem.findUninterpretedFunctions(system).map(f => SMTLibSerializer.serialize(f))

  /** What the names of the system stand for in the cycle at hand. */
  private var now = Map.empty[String, BVExpr]
  private var arrays = Map.empty[String, Vector[BVExpr]]
  private val known = mutable.HashMap.empty[BVExpr, BVSymbol]
  private val cache = new java.util.IdentityHashMap[SMTExpr, BVExpr]
  private var count = 0
  private var cycle = -1

  private def declaration(symbol: BVSymbol): String = SMTLibSerializer.serialize(DeclareFunction(symbol, Nil))
  private def symbols(e: SMTExpr): Seq[String] = e match {
    case BVSymbol(name, _) => Seq(name)
    case other => other.children.flatMap(symbols)
  }

  /** A name for a value: an equation, since z3 takes very long to read a chain of abbreviations. */
  private def named(value: BVExpr): BVExpr = value match {
    case simple @ (_: BVSymbol | _: BVLiteral) => simple
    case long =>
      known.getOrElseUpdate(
        long, {
          count += 1
          val symbol = BVSymbol(s"n$count", long.width)
          val equation = s"(assert ${SMTLibSerializer.serialize(BVEqual(symbol, long))})"
          declared(symbol.name) = Line(s"${declaration(symbol)} $equation", symbols(long).distinct)
          symbol
        }
      )
  }
  private def free(name: String, width: Int): BVExpr = {
    val symbol = BVSymbol(s"$name@$cycle", width)
    declared(symbol.name) = Line(declaration(symbol), Nil)
    symbol
  }

  /** Of the instance that is the other's twin, the name in that one. */
  private def twinOf(name: String): Option[String] =
    twins.collect {
      case (one, two) if name.startsWith(two + "_") || name.startsWith(two + ".") => one + name.drop(two.length)
    }

  private def bits(e: SMTExpr): BVExpr = e match {
    case symbol: BVSymbol => now.getOrElse(symbol.name, symbol)
    case literal: BVLiteral => literal
    case _ =>
      var result = cache.get(e)
      if (result == null) {
        result = e match {
          case ArrayRead(array, index) => select(elements(array), bits(index))
          case other => named(Simplify(SMTExprMap.mapExpr(other, inner => bits(inner)).asInstanceOf[BVExpr]))
        }
        cache.put(e, result)
      }
      result
  }

  private def select(from: Vector[BVExpr], index: BVExpr): BVExpr = {
    def choose(low: Int, bit: Int): BVExpr =
      if (bit < 0) from(low)
      else {
        val condition = named(Simplify(BVSlice(index, bit, bit)))
        ite(condition, choose(low + (1 << bit), bit - 1), choose(low, bit - 1))
      }
    choose(0, index.width - 1)
  }
  private def ite(condition: BVExpr, yes: BVExpr, no: BVExpr): BVExpr = named(Simplify(BVIte(condition, yes, no)))

  private def elements(e: ArrayExpr): Vector[BVExpr] = e match {
    case ArraySymbol(name, _, _) => arrays(name)
    case ArrayConstant(value, indexWidth) => Vector.fill(1 << indexWidth)(bits(value))
    case ArrayStore(array, index, data) =>
      val (i, d) = (bits(index), bits(data))
      elements(array).zipWithIndex.map { case (old, n) =>
        ite(named(Simplify(BVEqual(i, BVLiteral(n, i.width)))), d, old)
      }
    case ArrayIte(condition, yes, no) =>
      val c = bits(condition)
      elements(yes).zip(elements(no)).map { case (y, n) => ite(c, y, n) }
    case other => throw new IllegalArgumentException(s"$other is no memory of a design")
  }

  private def freeWords(symbol: ArraySymbol): Vector[BVExpr] = {
    require(
      symbol.indexWidth < 30 && (1 << symbol.indexWidth) <= maxWords,
      s"memory ${symbol.name} has 2^${symbol.indexWidth} words, and more than $maxWords are too many for a proof: choose smaller parameters"
    )
    Vector.tabulate(1 << symbol.indexWidth)(i => free(s"${symbol.name}[$i]", symbol.dataWidth))
  }

  /** Writes out one cycle more. */
  def advance(): Unit = {
    val before = system.states.map(state => state.sym -> state.next)
    val (values, contents) =
      if (cycle < 0) (Map.empty[String, BVExpr], Map.empty[String, Vector[BVExpr]])
      else
        (
          before.collect { case (s: BVSymbol, Some(next)) => s.name -> bits(next) }.toMap,
          before.collect { case (s: ArraySymbol, Some(next: ArrayExpr)) => s.name -> elements(next) }.toMap
        )
    cycle += 1
    cache.clear()
    now = Map("reset" -> BVLiteral(if (cycle == 0) 1 else 0, 1))
    arrays = Map.empty
    for ((symbol, _) <- before.sortBy(state => twinOf(state._1.name).isDefined)) symbol match {
      case s: BVSymbol =>
        now += s.name -> values.getOrElse(s.name, twinOf(s.name).flatMap(now.get).getOrElse(free(s.name, s.width)))
      case s: ArraySymbol =>
        arrays += s.name -> contents.getOrElse(s.name, twinOf(s.name).flatMap(arrays.get).getOrElse(freeWords(s)))
    }
    for (input <- system.inputs.sortBy(input => twinOf(input.name).isDefined) if input.name != "reset")
      now += input.name -> twinOf(input.name).flatMap(now.get).getOrElse(free(input.name, input.width))
    for (signal <- system.signals) signal.e match {
      case e: BVExpr => now += signal.name -> bits(e)
      case e: ArrayExpr => arrays += signal.name -> elements(e)
    }
    assumed ++= labelled(IsConstraint)
  }

  private def labelled(label: SignalLabel): Seq[BVExpr] = system.signals.filter(_.lbl == label).map(s => now(s.name))

  /** What must not become true, in the last cycle written. */
  def violations: Seq[BVExpr] = labelled(IsBad)

  /** Inputs, outputs and properties in the last cycle written, by name. */
  def visible: Seq[(String, BVExpr)] =
    (system.inputs.map(_.name) ++ system.signals.collect { case s if s.lbl == IsOutput || s.lbl == IsBad => s.name })
      .flatMap(name => now.get(name).map(value => s"$cycle $name" -> value))

  /** Every assumption, and what these and some other values depend on. */
  def text(others: Seq[BVExpr]): Iterator[String] = {
    val needed = mutable.HashSet.empty[String]
    val open = mutable.Stack.from((others ++ assumed).flatMap(symbols))
    while (open.nonEmpty) {
      val name = open.pop()
      if (needed.add(name)) { open.pushAll(declared(name).needs) }
    }
    functions.iterator ++ declared.iterator.collect { case (name, line) if needed(name) => line.text } ++
      assumed.distinct.iterator.map(a => s"(assert ${SMTLibSerializer.serialize(a)})")
  }
}
