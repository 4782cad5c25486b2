package hauberk.testing

import firrtl2.backends.experimental.smt._
import hauberk.testing.AndInverterGraph._

/** Makes gates of expressions on bit vectors and memories; a vector's lowest bit comes first, a memory is the vector of its words.
  *
  * @param bits  of a name
  * @param words of the name of a memory
  */
final class BitBlaster(graph: AndInverterGraph, bits: String => Vector[Bit], words: String => Vector[Vector[Bit]]) {
  import graph._

  def vector(e: BVExpr): Vector[Bit] = e match {
    case BVSymbol(name, _) => bits(name)
    case BVLiteral(value, width) => constant(value, width)
    case BVExtend(x, by, signed) =>
      val v = vector(x)
      v ++ Vector.fill(by)(if (signed) v.last else Zero)
    case BVSlice(x, hi, lo) => vector(x).slice(lo, hi + 1)
    case BVConcat(a, b) => vector(b) ++ vector(a)
    case BVNot(x) => vector(x).map(not)
    case BVNegate(x) => sum(constant(0, x.width), vector(x).map(not), One)
    case BVReduceOr(x) => Vector(any(vector(x)))
    case BVReduceAnd(x) => Vector(all(vector(x)))
    case BVReduceXor(x) => Vector(vector(x).reduce(xor))
    case BVEqual(a, b) => Vector(equal(vector(a), vector(b)))
    case BVImplies(a, b) => Vector(or(not(vector(a).head), vector(b).head))
    case BVComparison(Compare.Greater, a, b, signed) => Vector(not(atMost(a, b, signed)))
    case BVComparison(_, a, b, signed) => Vector(atMost(b, a, signed))
    case BVAnd(terms) => terms.map(vector).reduce((a, b) => each(a, b)(and))
    case BVOr(terms) => terms.map(vector).reduce((a, b) => each(a, b)(or))
    case BVIte(condition, yes, no) => choose(vector(condition).head, vector(yes), vector(no))
    case BVOp(Op.Xor, a, b) => each(vector(a), vector(b))(xor)
    case BVOp(Op.Add, a, b) => sum(vector(a), vector(b), Zero)
    case BVOp(Op.Sub, a, b) => sum(vector(a), vector(b).map(not), One)
    case BVOp(Op.ShiftLeft, a, b) => shift(vector(a).reverse, vector(b), Zero).reverse
    case BVOp(Op.ShiftRight, a, b) => shift(vector(a), vector(b), Zero)
    case BVOp(Op.ArithmeticShiftRight, a, b) => shift(vector(a), vector(b), vector(a).last)
    case BVOp(Op.Mul, a, b) =>
      val (multiplicand, width) = (vector(a), a.width)
      vector(b).zipWithIndex.foldLeft(constant(0, width)) { case (total, (bit, i)) =>
        sum(total, (Vector.fill(i)(Zero) ++ multiplicand).take(width).map(and(_, bit)), Zero)
      }
    case ArrayRead(memory, index) => select(memoryWords(memory), vector(index))
    case other => throw new IllegalArgumentException(s"a proof has no gates for $other")
  }

  def memoryWords(e: ArrayExpr): Vector[Vector[Bit]] = e match {
    case ArraySymbol(name, _, _) => words(name)
    case ArrayConstant(value, indexWidth) => Vector.fill(1 << indexWidth)(vector(value))
    case ArrayStore(memory, index, data) =>
      val (at, value) = (vector(index), vector(data))
      memoryWords(memory).zipWithIndex.map { case (old, i) => choose(equal(at, constant(i, at.size)), value, old) }
    case ArrayIte(condition, yes, no) =>
      val choice = vector(condition).head
      memoryWords(yes).zip(memoryWords(no)).map { case (y, n) => choose(choice, y, n) }
    case other => throw new IllegalArgumentException(s"a proof has no gates for $other")
  }

  private def constant(value: BigInt, width: Int): Vector[Bit] =
    Vector.tabulate(width)(i => if (value.testBit(i)) One else Zero)
  private def each(a: Vector[Bit], b: Vector[Bit])(gate: (Bit, Bit) => Bit): Vector[Bit] =
    a.zip(b).map { case (x, y) => gate(x, y) }
  private def choose(condition: Bit, yes: Vector[Bit], no: Vector[Bit]): Vector[Bit] =
    each(yes, no)(mux(condition, _, _))
  private def equal(a: Vector[Bit], b: Vector[Bit]): Bit = not(any(each(a, b)(xor)))

  /** The highest bit of a signed number counts the other way. */
  private def atMost(a: BVExpr, b: BVExpr, signed: Boolean): Bit = {
    def order(v: Vector[Bit]): Vector[Bit] = if (signed) v.init :+ not(v.last) else v
    order(vector(a)).zip(order(vector(b))).foldLeft(One) { case (sofar, (x, y)) => mux(xor(x, y), y, sofar) }
  }
  private def sum(a: Vector[Bit], b: Vector[Bit], carryIn: Bit): Vector[Bit] = {
    var carry = carryIn
    a.zip(b).map { case (x, y) =>
      val half = xor(x, y)
      val digit = xor(half, carry)
      carry = mux(half, carry, x)
      digit
    }
  }

  /** Towards the lowest bit. */
  private def shift(value: Vector[Bit], by: Vector[Bit], fill: Bit): Vector[Bit] =
    by.zipWithIndex.foldLeft(value) { case (v, (bit, i)) =>
      val distance = if (i < 30) (1 << i).min(v.size) else v.size
      choose(bit, v.drop(distance) ++ Vector.fill(distance)(fill), v)
    }
  private def select(from: Vector[Vector[Bit]], index: Vector[Bit]): Vector[Bit] =
    if (index.isEmpty) from.head
    else {
      val (low, high) = from.splitAt(from.size / 2)
      choose(index.last, select(high, index.init), select(low, index.init))
    }
}
