package hauberk.memory.counter

import chisel3._

/** What a program says of the counters of its next accesses (Nagarajan et al., section 3). A hint concerns speed alone: whatever it says, no
  * pad is used twice and no data are wrong.
  *
  * @param blockBits width of a block's number
  */
class CounterHint(val blockBits: Int) extends Bundle {

  /** One of the kinds below. */
  val kind = UInt(2.W)

  /** The block that the next access of the kind is to; of `next` nothing. */
  val block = UInt(blockBits.W)

  /** Counter id; of `next` the number of a register. */
  val id = UInt(CounterHint.idBits.W)
}

/** Kinds and widths of hints. */
object CounterHint {

  /** The pair of the block that a load reads is expected to have this id and the value of its register. */
  val load = 0

  /** The block that a store writes is to get this id and the value of its register. */
  val store = 1

  /** The register is incremented. */
  val next = 2

  /** No hint: what names it is ignored. */
  val none = 3

  /** Width of a counter id in memory and in instructions. */
  val idBits = 7

  /** Width of a counter register. */
  val valueBits = 24

  /** The register of an id: the low bits of the id are its number, for ever, so that no two registers ever name the same pair. */
  def registerOf(id: UInt, registers: Int): UInt =
    if (registers == 1) 0.U(1.W) else id(chisel3.util.log2Ceil(registers) - 1, 0)
}
