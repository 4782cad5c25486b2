package hauberk.testing

import firrtl2.backends.experimental.smt._

/** Evaluates an operation on bit vectors as far as its operands are constants. */
private[testing] object Simplify {
  private def ones(width: Int): BigInt = (BigInt(1) << width) - 1
  private def bool(value: Boolean): BVExpr = BVLiteral(if (value) 1 else 0, 1)

  def apply(e: BVExpr): BVExpr = e match {
    case BVNot(BVLiteral(v, w)) => BVLiteral(ones(w) ^ v, w)
    case BVNot(BVNot(inner)) => inner
    case BVReduceOr(x) if x.width == 1 => x
    case BVReduceAnd(x) if x.width == 1 => x
    case BVReduceXor(x) if x.width == 1 => x
    case BVReduceOr(BVLiteral(v, _)) => bool(v != 0)
    case BVReduceAnd(BVLiteral(v, w)) => bool(v == ones(w))
    case BVReduceXor(BVLiteral(v, _)) => bool(v.bitCount % 2 == 1)
    case BVExtend(x, 0, _) => x
    case BVExtend(BVLiteral(v, w), by, false) => BVLiteral(v, w + by)
    case BVSlice(x, hi, 0) if hi == x.width - 1 => x
    case BVSlice(BVLiteral(v, _), hi, lo) => BVLiteral((v >> lo) & ones(hi - lo + 1), hi - lo + 1)
    case BVSlice(BVSlice(x, _, below), hi, lo) => BVSlice(x, hi + below, lo + below)
    case BVConcat(BVLiteral(a, wa), BVLiteral(b, wb)) => BVLiteral((a << wb) | b, wa + wb)
    case BVEqual(a, b) => equal(a, b)
    case BVImplies(a, b) => apply(BVOr(List(apply(BVNot(a)), b)))
    case BVComparison(Compare.Greater, BVLiteral(a, _), BVLiteral(b, _), false) => bool(a > b)
    case BVComparison(Compare.GreaterEqual, BVLiteral(a, _), BVLiteral(b, _), false) => bool(a >= b)
    case BVAnd(terms) => and(terms)
    case BVOr(terms) => or(terms)
    case BVIte(BVLiteral(c, _), yes, no) => if (c == 1) yes else no
    case BVIte(_, yes, no) if yes == no => yes
    case BVIte(c, BVLiteral(a, 1), BVLiteral(b, 1)) if a == 1 && b == 0 => c
    case BVOp(op, BVLiteral(a, w), BVLiteral(b, _)) =>
      operate(op, a, b, w).map(v => BVLiteral(v & ones(w), w)).getOrElse(e)
    case BVOp(Op.Add | Op.Sub | Op.Xor, a, BVLiteral(zero, _)) if zero == 0 => a
    case BVOp(Op.Xor, a, b) if a == b => BVLiteral(0, a.width)
    case other => other
  }

  private def equal(a: BVExpr, b: BVExpr): BVExpr = (a, b) match {
    case (BVLiteral(x, _), BVLiteral(y, _)) => bool(x == y)
    case _ if a == b => bool(true)
    case _ => BVEqual(a, b)
  }
  private def and(terms: List[BVExpr]): BVExpr = {
    val width = terms.head.width
    if (terms.exists { case BVLiteral(v, _) => v == 0; case _ => false }) BVLiteral(0, width)
    else
      terms.filter { case BVLiteral(v, _) => v != ones(width); case _ => true }.distinct match {
        case Nil => BVLiteral(ones(width), width)
        case one :: Nil => one
        case more => BVAnd(more)
      }
  }
  private def or(terms: List[BVExpr]): BVExpr = {
    val width = terms.head.width
    if (terms.exists { case BVLiteral(v, _) => v == ones(width); case _ => false }) BVLiteral(ones(width), width)
    else
      terms.filter { case BVLiteral(v, _) => v != 0; case _ => true }.distinct match {
        case Nil => BVLiteral(0, width)
        case one :: Nil => one
        case more => BVOr(more)
      }
  }
  private def operate(op: Op.Value, a: BigInt, b: BigInt, width: Int): Option[BigInt] = op match {
    case Op.Xor => Some(a ^ b)
    case Op.Add => Some(a + b)
    case Op.Sub => Some(a - b + (BigInt(1) << width))
    case Op.ShiftLeft => Some(if (b >= width) BigInt(0) else a << b.toInt)
    case Op.ShiftRight => Some(if (b >= width) BigInt(0) else a >> b.toInt)
    case _ => None
  }
}
