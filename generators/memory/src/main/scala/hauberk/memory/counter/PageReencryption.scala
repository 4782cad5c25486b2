package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** The re-encryption status register of Yan et al., ISCA'06, section 4.2: the page whose major counter went up because a minor one had no
  * successor, and which of its blocks are under the new major counter already. The others are still under the one before, with the minor
  * counters of before; each is read and written back, once, one at a time, unless a write of its own comes first.
  *
  * @param lineBits width of a page's number, which is that of its counter line
  */
class PageReencryption(p: Geometry, lineBits: Int) extends Module {
  private val wordBits = SplitLine.wordBits
  val io = IO(new Bundle {

    /** A page, and the first of its blocks to be under the new major counter. Only while not active. */
    val start = Flipped(Valid(UInt(lineBits.W)))

    /** A block gets a counter under the new major one. */
    val done = Flipped(Valid(UInt(wordBits.W)))
    val active = Output(Bool())
    val line = Output(UInt(lineBits.W))

    /** A bit for each block that is under the new major counter. */
    val isDone = Output(UInt(SplitLine.blocks.W))
    val reencrypt = Decoupled(UInt(p.core.blockIndexBits.W))
    val reencrypted = Input(Bool())

    /** A block was given back without a new counter, since memory refused it: it can never be re-encrypted. */
    val stuck = Output(Bool())

    /** A page, or a block of one, is under way. */
    val busy = Output(Bool())
  })
  private val active = RegInit(false.B)
  private val line = Reg(UInt(lineBits.W))
  private val isDone = Reg(UInt(SplitLine.blocks.W))
  private val waiting = RegInit(false.B)
  private val word = Reg(UInt(wordBits.W))
  // The awaited block belongs to a page whose last blocks were written meanwhile
  private val stale = RegInit(false.B)

  // The last page may have fewer blocks than others
  private val blocksOfLast = (p.layout.dataBlocks - 1) % SplitLine.blocks + 1
  private val beyond = ((BigInt(1) << SplitLine.blocks) - (BigInt(1) << blocksOfLast.toInt)).U(SplitLine.blocks.W)
  private val absent = Mux(io.start.bits === (p.layout.counterLines - 1).U, beyond, 0.U)

  private val mark = Mux(io.done.valid, UIntToOH(io.done.bits, SplitLine.blocks), 0.U(SplitLine.blocks.W))
  when(io.start.valid) {
    active := true.B
    line := io.start.bits
    isDone := absent | mark
  }.elsewhen(active) {
    isDone := isDone | mark
    when(isDone.andR) { active := false.B }
  }
  when(io.start.valid) { stale := waiting && !io.reencrypted }

  private val next = PriorityEncoder((~isDone).asUInt)
  io.reencrypt.valid := active && !waiting && !isDone.andR
  io.reencrypt.bits := Cat(line, next)
  when(io.reencrypt.valid && io.reencrypt.ready) {
    waiting := true.B
    stale := false.B
    word := next
  }
  when(io.reencrypted) { waiting := false.B }
  io.stuck := active && waiting && io.reencrypted && !stale && !isDone(word)
  io.active := active
  io.busy := active || waiting
  io.line := line
  io.isDone := isDone
}
