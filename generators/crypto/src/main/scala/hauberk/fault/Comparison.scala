package hauberk.fault

import chisel3._

/** How a comparison that decides is made. */
trait Comparison {

  /** `equal`, which is `a === b`, as far as nothing contradicts it. */
  def confirm(equal: Bool, a: UInt, b: UInt): Bool
}

/** By one comparator. */
case object Once extends Comparison {
  def confirm(equal: Bool, a: UInt, b: UInt): Bool = equal
}

/** By two, of which one looks for a difference: what they disagree on differs. Synthesis has to keep the second's wire, [[Twice.again]]. */
case object Twice extends Comparison {
  def confirm(equal: Bool, a: UInt, b: UInt): Bool = {
    val again = Wire(UInt(a.getWidth.W))
    again := a
    dontTouch(again)
    equal && !differs(again, b)
  }
  private[fault] def differs(again: UInt, b: UInt): Bool = (again ^ b).orR
}
