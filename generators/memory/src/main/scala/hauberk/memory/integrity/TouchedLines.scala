package hauberk.memory.integrity

import chisel3._
import chisel3.util._

/** Which version lines were ever written: a bit each, on chip (1 of 8192 bits of data for blocks of 64 bytes). After reset it clears itself,
  * one word of 64 bits a cycle.
  *
  * @param lines    version lines
  * @param lineBits width of a line number
  */
class TouchedLines(lines: Int, lineBits: Int) extends Module {
  private val perWord = TouchedLines.perWord
  private val words = (lines + perWord - 1) / perWord
  private val wordBits = math.max(1, log2Ceil(words))
  val io = IO(new Bundle {
    val cleared = Output(Bool())
    val mark = Flipped(Valid(UInt(lineBits.W)))

    /** Was this line written? The answer comes in the next cycle. */
    val ask = Flipped(Valid(UInt(lineBits.W)))
    val answer = Output(Bool())

    /** Read a word of bits; it comes in the cycle after the one that is `ready`. */
    val scan = Flipped(Decoupled(UInt(wordBits.W)))
    val word = Output(UInt(perWord.W))
  })
  private val bits = SyncReadMem(math.max(2, words), Vec(perWord, Bool()))
  private val clearing = RegInit(0.U(log2Ceil(words + 1).W))
  private val cleared = clearing === words.U
  io.cleared := cleared

  private def split(line: UInt): (UInt, UInt) = {
    val wide = line + 0.U((lineBits.max(log2Ceil(perWord) + 1)).W)
    ((wide >> log2Ceil(perWord)) + 0.U(wordBits.W), wide(log2Ceil(perWord) - 1, 0))
  }
  private val (markWord, markBit) = split(io.mark.bits)
  private val ones = VecInit(Seq.fill(perWord)(cleared))
  when(!cleared) { clearing := clearing + 1.U }
  when(!cleared || io.mark.valid) {
    bits.write(Mux(cleared, markWord, clearing), ones, (0 until perWord).map(i => !cleared || markBit === i.U))
  }

  private val (askWord, askBit) = split(io.ask.bits)
  io.scan.ready := cleared && !io.ask.valid
  private val read = bits.read(Mux(io.ask.valid, askWord, io.scan.bits), io.ask.valid || io.scan.valid)
  io.word := read.asUInt
  io.answer := read(RegNext(askBit))
}

/** Bits in a word of the table, and the width of a word's number. */
object TouchedLines {
  val perWord = 64

  /** Width of the number of a word of bits. */
  def wordBits(lines: Int): Int = math.max(1, log2Ceil((lines + perWord - 1) / perWord))
}
