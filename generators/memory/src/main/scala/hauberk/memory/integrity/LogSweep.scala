package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** Moves every block of the log to the new epoch: goes through the version lines that were ever written, and has each block touched, that is
  * read, whose version is of the old one. Blocks that others access meanwhile move by themselves.
  *
  * The versions that it reads are untrusted, and need not be trusted: a block that memory hides from it is missing in the log.
  */
class LogSweep(p: Geometry) extends Module {
  private val lines = p.layout.versionLines.toInt
  private val perWord = TouchedLines.perWord
  private val words = (lines + perWord - 1) / perWord
  private val wordBits = TouchedLines.wordBits(lines)
  private val perLine = p.layout.shape.versionsPerLine
  val io = IO(new Bundle {
    val start = Input(Bool())

    /** All touches are answered; until the next start. */
    val done = Output(Bool())

    /** Bits of touched lines: a word in the cycle after it is taken. */
    val scan = Decoupled(UInt(wordBits.W))
    val word = Input(UInt(perWord.W))

    /** A look at the versions of a line; they come later. */
    val look = Decoupled(UInt(VersionStore.lineBits(p).W))

    /** The versions of the line that was asked for: which of them are of the old epoch. */
    val seen = Flipped(Valid(UInt(perLine.W)))
    val touch = Decoupled(UInt(p.core.blockIndexBits.W))
    val touched = Input(Bool())
  })
  private val idle :: asksWord :: hasWord :: asksLine :: waitsLine :: touches :: ends :: Nil = Enum(7)
  private val state = RegInit(idle)
  private val word = Reg(UInt(wordBits.W))
  private val bits = Reg(UInt(perWord.W))
  private val blocks = Reg(UInt(perLine.W))
  private val pending = RegInit(0.U(log2Ceil(p.entries + 2).W))

  private val bit = PriorityEncoder(bits)
  private val place = PriorityEncoder(blocks)
  private val line = Cat(word, bit)
  private val fires = io.touch.valid && io.touch.ready
  io.done := state === idle
  io.scan.valid := state === asksWord
  io.scan.bits := word
  io.look.valid := state === asksLine
  io.look.bits := line + 0.U(VersionStore.lineBits(p).W)
  io.touch.valid := state === touches && blocks.orR && !pending.andR
  io.touch.bits := Cat(line, place) + 0.U(p.core.blockIndexBits.W)
  pending := pending + fires.asUInt - io.touched.asUInt

  switch(state) {
    is(idle) {
      when(io.start) {
        state := asksWord
        word := 0.U
      }
    }
    is(asksWord) { when(io.scan.ready) { state := hasWord } }
    is(hasWord) {
      bits := io.word
      state := asksLine
      when(!io.word.orR) {
        state := Mux(word === (words - 1).U, ends, asksWord)
        word := word + 1.U
      }
    }
    is(asksLine) { when(io.look.ready) { state := waitsLine } }
    is(waitsLine) {
      when(io.seen.valid) {
        // The last line may have room for versions of blocks that do not exist
        val exist = (0 until perLine).map(i => Cat(line, i.U(log2Ceil(perLine).W)) < p.layout.dataBlocks.U)
        blocks := io.seen.bits & VecInit(exist).asUInt
        state := touches
      }
    }
    is(touches) {
      when(fires) { blocks := blocks & (blocks - 1.U) }
      when(!blocks.orR) {
        val rest = bits & (bits - 1.U)
        bits := rest
        state := asksLine
        when(!rest.orR) {
          state := Mux(word === (words - 1).U, ends, asksWord)
          word := word + 1.U
        }
      }
    }
    is(ends) { when(pending === 0.U) { state := idle } }
  }
}
