package hauberk.testing

import java.io.{ByteArrayOutputStream, OutputStream}
import java.nio.charset.StandardCharsets.US_ASCII
import scala.collection.mutable

/** And gates, inverters and latches, each gate once. A bit is twice the number of its node, plus one if it is inverted: the numbers of AIGER.
  *
  * Constants are propagated, so that of two copies of a design only the different parts are left.
  */
final class AndInverterGraph {
  import AndInverterGraph._
  private sealed trait Node
  private case object Constant extends Node
  private case object Input extends Node
  private case object Latch extends Node
  private case class And(a: Bit, b: Bit) extends Node

  private val nodes = mutable.ArrayBuffer[Node](Constant)
  private val gates = mutable.HashMap.empty[(Bit, Bit), Bit]
  private val nexts = mutable.HashMap.empty[Bit, Bit]
  private def add(node: Node): Bit = {
    nodes += node
    2 * (nodes.size - 1)
  }

  def input(): Bit = add(Input)

  /** A latch that starts with zero. */
  def latch(): Bit = add(Latch)
  def connect(latch: Bit, next: Bit): Unit = nexts(latch) = next

  def and(a: Bit, b: Bit): Bit =
    if (a > b) and(b, a)
    else if (a == Zero || a == not(b)) Zero
    else if (a == One || a == b) b
    else gates.getOrElseUpdate((a, b), add(And(a, b)))
  def or(a: Bit, b: Bit): Bit = not(and(not(a), not(b)))
  def xor(a: Bit, b: Bit): Bit = mux(a, not(b), b)
  def mux(choice: Bit, yes: Bit, no: Bit): Bit =
    if (yes == no) yes else or(and(choice, yes), and(not(choice), no))
  def all(bits: Iterable[Bit]): Bit = bits.foldLeft(One)(and)
  def any(bits: Iterable[Bit]): Bit = bits.foldLeft(Zero)(or)

  /** Writes the graph with one output, in the binary format of AIGER: inputs, latches and gates have numbers in this order. */
  def write(output: Bit, to: OutputStream): Unit = {
    def indices(kind: Node => Boolean): Seq[Int] = nodes.indices.filter(i => kind(nodes(i)))
    val (inputs, latches) = (indices(_ == Input), indices(_ == Latch))
    val ands = indices(_.isInstanceOf[And])
    val number = new Array[Int](nodes.size)
    for ((node, i) <- (inputs ++ latches ++ ands).zipWithIndex) { number(node) = i + 1 }
    def renamed(bit: Bit): Bit = 2 * number(bit / 2) + bit % 2
    val text = new ByteArrayOutputStream
    def line(s: String): Unit = text.write(s"$s\n".getBytes(US_ASCII))
    def difference(d: Int): Unit = {
      var rest = d
      while (rest >= 0x80) {
        text.write(rest & 0x7f | 0x80)
        rest >>>= 7
      }
      text.write(rest)
    }
    line(s"aig ${nodes.size - 1} ${inputs.size} ${latches.size} 1 ${ands.size}")
    latches.foreach(latch => line(renamed(nexts(2 * latch)).toString))
    line(renamed(output).toString)
    for {
      node <- ands
      gate = nodes(node).asInstanceOf[And]
    } {
      val Seq(small, large) = Seq(renamed(gate.a), renamed(gate.b)).sorted
      difference(2 * number(node) - large)
      difference(large - small)
    }
    text.writeTo(to)
  }
}

object AndInverterGraph {
  type Bit = Int
  val Zero: Bit = 0
  val One: Bit = 1
  def not(bit: Bit): Bit = bit ^ 1
}
