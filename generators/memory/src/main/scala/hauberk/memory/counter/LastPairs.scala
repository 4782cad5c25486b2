package hauberk.memory.counter

import chisel3._
import chisel3.util._

/** Predicts the pair of a block that is read without a hint: the last pair that was written or read at the block's place, if a part of the block's
  * number agrees. A block whose pair another one took the place of is expected to be as the package brought it. Pairs of such blocks are not kept.
  *
  * Only a prediction: memory's own pair decides. After reset it clears itself, an entry a cycle, and predicts 0 meanwhile.
  *
  * @param entries   places, a power of two
  * @param blockBits width of a block's number
  */
class LastPairs(entries: Int, blockBits: Int) extends Module {
  require(
    entries <= (BigInt(1) << blockBits),
    s"$entries last pairs are more than the bank has blocks, which are ${BigInt(1) << blockBits}: use fewer"
  )
  val io = IO(new Bundle {
    val block = Input(UInt(blockBits.W))

    /** The pair that the block probably has; in the same cycle. */
    val pair = Output(UInt(CompilerCounters.pairBits.W))

    /** A block is written under a pair. */
    val written = Flipped(Valid(new BlockPair(blockBits)))

    /** Memory has a pair of a block. Forgotten if a block is written in the same cycle. */
    val read = Flipped(Valid(new BlockPair(blockBits)))

    /** It is being cleared. */
    val busy = Output(Bool())
  })
  private val placeBits = log2Ceil(entries)
  private val tagBits = math.max(1, math.min(LastPairs.tagBits, blockBits - placeBits))
  private val table = Mem(entries, UInt((tagBits + CompilerCounters.pairBits).W))
  private val clearing = RegInit(0.U((placeBits + 1).W))
  private val cleared = clearing(placeBits)
  io.busy := !cleared
  when(!cleared) { clearing := clearing + 1.U }

  // Arrays are in different places block by block, and the stack is elsewhere than data
  private def placeOf(block: UInt): UInt = FoldedBlock(block, placeBits)
  private def tagOf(block: UInt): UInt = ((block >> placeBits) + 0.U(tagBits.W))(tagBits - 1, 0)
  private val found = table.read(placeOf(io.block))
  private val agrees =
    found(CompilerCounters.pairBits + tagBits - 1, CompilerCounters.pairBits) === tagOf(io.block)
  io.pair := Mux(cleared && agrees, found(CompilerCounters.pairBits - 1, 0), 0.U)
  private val last = Mux(io.written.valid, io.written.bits, io.read.bits)
  when(!cleared || io.written.valid || (io.read.valid && io.read.bits.pair =/= 0.U)) {
    table.write(
      Mux(cleared, placeOf(last.block), clearing(placeBits - 1, 0)),
      Mux(cleared, Cat(tagOf(last.block), last.pair), 0.U)
    )
  }
}

/** A block, and the pair that it has or probably has. */
class BlockPair(val blockBits: Int) extends Bundle {
  val block = UInt(blockBits.W)
  val pair = UInt(CompilerCounters.pairBits.W)
}

/** Widths. */
object LastPairs {

  /** Of a block's number; a pair of another block that agrees in them costs time. */
  val tagBits = 8
}

/** Hashes a block's number: neighbouring blocks to different places. */
object FoldedBlock {
  def apply(block: UInt, bits: Int): UInt = {
    val width = block.getWidth
    (0 until width by bits)
      .map(i => block(math.min(width, i + bits) - 1, i) + 0.U(bits.W))
      .reduce(_ ^ _)
  }
}
