package hauberk.fault

import chisel3._

/** How a register keeps a decision: the register starts as `clear`, becomes `set`, and is read by `isSet`. */
trait FlagCode {
  def register: UInt
  def clear: UInt
  def set: UInt
  def apply(decision: Bool): UInt

  /** The decision. A register that holds neither word counts as `safe`. */
  def isSet(register: UInt, safe: Boolean): Bool

  /** The register holds neither word. */
  def faulty(register: UInt): Bool
}

/** One bit. */
case object OneBit extends FlagCode {
  def register: UInt = Bool()
  def clear: UInt = false.B
  def set: UInt = true.B
  def apply(decision: Bool): UInt = decision
  def isSet(register: UInt, safe: Boolean): Bool = register.asBool
  def faulty(register: UInt): Bool = false.B
}

/** Four bits, two words that differ in each: up to three flips are detected. */
case object Sparse extends FlagCode {
  private val bits = 4
  def register: UInt = UInt(bits.W)
  def clear: UInt = "b0110".U(bits.W)
  def set: UInt = "b1001".U(bits.W)
  def apply(decision: Bool): UInt = Mux(decision, set, clear)
  def isSet(register: UInt, safe: Boolean): Bool = if (safe) register =/= clear else register === set
  def faulty(register: UInt): Bool = register =/= clear && register =/= set
}
