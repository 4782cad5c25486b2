package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.tree.LineCounters

/** A line of split counters (Yan et al., ISCA'06): a major counter of 58 bits for the page, in the low bytes, and a minor one of 6 bits for
  * each of its 64 blocks, from byte 8 on. The last eight bytes are the guard's. The counter of a block is major and minor, side by side.
  */
object SplitLine {
  val blocks = 64
  val minorBits = 6
  val majorBits = 58
  val counterBits: Int = majorBits + minorBits
  val wordBits: Int = log2Ceil(blocks)
  private val minorsAt = 64
  private val macAt = LineCounters.payloadBits
  require(minorsAt + blocks * minorBits == macAt)

  /** The page of a block, which is the number of its counter line, and the block's place in it. */
  def pageOf(block: UInt): UInt = block >> wordBits
  def wordOf(block: UInt): UInt = block(wordBits - 1, 0)
  def major(line: UInt): UInt = line(majorBits - 1, 0)
  def minors(line: UInt): Vec[UInt] = VecInit((0 until blocks).map { i =>
    line(minorsAt + minorBits * (i + 1) - 1, minorsAt + minorBits * i)
  })

  /** The line with another major counter, and another minor one at `word`. */
  def updated(line: UInt, major: UInt, word: UInt, minor: UInt): UInt = {
    val after = VecInit(minors(line).zipWithIndex.map { case (m, i) => Mux(word === i.U, minor, m) })
    Cat(LineCounters.mac(line), after.asUInt, 0.U((minorsAt - majorBits).W), major)
  }
}
