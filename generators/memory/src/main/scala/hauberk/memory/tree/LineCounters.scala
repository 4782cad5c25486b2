package hauberk.memory.tree

import chisel3._
import chisel3.util._

/** The format of lines that carry a MAC: 56 bytes of payload, then 8 of MAC, little-endian. */
object LineCounters {

  /** A node keeps the counters of this many lines. */
  val arity = 8
  val counterBits = 56
  val payloadWords = 7
  val payloadBits: Int = arity * counterBits
  val macBits = 64
  require(payloadBits + macBits == 512 && payloadWords * 64 == payloadBits)

  def payload(line: UInt): UInt = line(payloadBits - 1, 0)
  def mac(line: UInt): UInt = line(payloadBits + macBits - 1, payloadBits)
  def word(line: UInt, index: UInt): UInt = VecInit((0 until payloadWords).map(i => line(64 * i + 63, 64 * i)))(index)
  def counters(line: UInt): Vec[UInt] =
    VecInit((0 until arity).map(i => line(counterBits * (i + 1) - 1, counterBits * i)))

  /** Width of the parent's line number. */
  def parentBits(lineBits: Int): Int = math.max(1, lineBits - log2Ceil(arity))
  def parent(line: UInt): UInt = line >> log2Ceil(arity)

  /** Which of its parent's counters is a line's. */
  def place(line: UInt): UInt = (line + 0.U(log2Ceil(arity).W))(log2Ceil(arity) - 1, 0)
}
