package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.{Geometry, Reencryption}

/** The re-encryption status register of Yan et al., ISCA'06, section 4.2: the page whose major counter went up because a minor one had no
  * successor, and which of its blocks are under the new major counter already. The others are still under the one before, with the minor
  * counters of before; each is read and written back, once, unless a write of its own comes first. Several are under way at a time.
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
    val reencrypt = Decoupled(new Reencryption(p))
    val reencrypted = Flipped(Valid(UInt(p.reencryptionBits.W)))

    /** A block was given back without a new counter, since memory refused it: it can never be re-encrypted. */
    val stuck = Output(Bool())
  })
  private val active = RegInit(false.B)
  private val line = Reg(UInt(lineBits.W))
  private val isDone = Reg(UInt(SplitLine.blocks.W))
  private val slots = p.reencryptions
  private val waiting = RegInit(VecInit(Seq.fill(slots)(false.B)))
  private val word = Reg(Vec(slots, UInt(wordBits.W)))

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
    // Blocks that were written meanwhile are still to come back: their counters belong to this page, and to a flush that waits for it
    when(isDone.andR && !waiting.asUInt.orR) { active := false.B }
  }

  private val underWay = (0 until slots)
    .map(i => Mux(waiting(i), UIntToOH(word(i), SplitLine.blocks), 0.U(SplitLine.blocks.W)))
    .reduce(_ | _)
  private val left = (~(isDone | underWay)).asUInt
  private val next = PriorityEncoder(left)
  private val free = PriorityEncoder(waiting.map(w => !w))
  io.reencrypt.valid := active && left.orR && !waiting.asUInt.andR
  io.reencrypt.bits.block := Cat(line, next)
  io.reencrypt.bits.slot := free
  when(io.reencrypt.valid && io.reencrypt.ready) {
    waiting(free) := true.B
    word(free) := next
  }
  private val back = io.reencrypted.bits
  when(io.reencrypted.valid) { waiting(back) := false.B }
  io.stuck := active && io.reencrypted.valid && waiting(back) && !isDone(word(back))
  io.active := active
  io.line := line
  io.isDone := isDone
}
