package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.mode.BufferPort

/** Room for the bytes and the keystream of transactions in flight: a block of each for every one. Written in a cycle, read combinationally from
  * the next on. Hardware is added to the module that makes it.
  *
  * @param count transactions
  */
private[memory] class BlockBuffer(p: Geometry, count: Int) {
  private val beatBits = p.core.beatBits
  private val beatsPerAesBlock = 16 / p.core.beatBytes
  private val beatInAesBlockBits = log2Ceil(beatsPerAesBlock)
  private val bytes = Mem(count * p.core.blockBeats, UInt(beatBits.W))
  private val keystreamBlocks = Mem(count * p.aesBlocks, UInt(128.W))

  /** The AES block a beat belongs to. */
  def aesBlockOf(beat: UInt): UInt = if (p.aesBlocks == 1) 0.U(1.W) else beat >> beatInAesBlockBits
  private def beatAt(index: UInt, beat: UInt): UInt = if (p.core.blockBeats == 1) index else Cat(index, beat)
  def putBeat(index: UInt, beat: UInt, bits: UInt): Unit = bytes.write(beatAt(index, beat), bits)
  def putKeystream(index: UInt, aesBlock: UInt, bits: UInt): Unit =
    keystreamBlocks.write(keystreamAt(index, aesBlock), bits)
  private def keystreamAt(index: UInt, aesBlock: UInt): UInt = if (p.aesBlocks == 1) index else Cat(index, aesBlock)
  def beat(index: UInt, beat: UInt): UInt = bytes.read(beatAt(index, beat))

  /** The part of the keystream that covers a beat. */
  def keystreamOf(index: UInt, beat: UInt): UInt =
    partOf(keystreamBlocks.read(keystreamAt(index, aesBlockOf(beat))), beat)

  /** The part of an AES block of keystream that covers a beat. */
  def partOf(block: UInt, beat: UInt): UInt = {
    val parts = VecInit((0 until beatsPerAesBlock).map(i => block(beatBits * (i + 1) - 1, beatBits * i)))
    if (beatsPerAesBlock == 1) block else parts(beat(math.min(beatInAesBlockBits, p.core.beatIndexBits) - 1, 0))
  }

  /** Serves the reads of a mode that needs the data; others have none, and no hardware for it. */
  def serve(port: BufferPort, index: UInt): Unit = {
    def part(i: Int) = bytes.read((Cat(index, port.aesBlock) << beatInAesBlockBits).asUInt + i.U)
    port.data := (if (p.needsWholeBlocks) Cat((0 until beatsPerAesBlock).reverse.map(part)) else 0.U)
  }
}

/** Which transactions still need their counter. One whose look-up was answered "blocked" sleeps until something in flight completes.
  * Hardware is added to the module that makes it.
  *
  * @param count transactions
  */
private[memory] class PendingLookups(count: Int) {
  private def flags = RegInit(VecInit(Seq.fill(count)(false.B)))
  private val need, blocked, fresh = flags

  /** Asks for the first that may, and takes note of the answer. */
  def ask(port: LookupPort, may: Int => Bool, retry: Bool)(describe: UInt => Unit): Unit = {
    val wants = (0 until count).map(i => need(i) && !blocked(i) && may(i))
    val index = PriorityEncoder(wants)
    port.valid := wants.reduce(_ || _)
    port.fresh := fresh(index)
    describe(index)
    when(port.valid && port.granted) {
      when(port.answer.accepted) { need(index) := false.B }
      when(port.answer.blocked) {
        blocked(index) := true.B
        fresh(index) := false.B
      }
    }
    when(retry) { blocked.foreach(_ := false.B) }
  }

  /** The transaction's look-up was not accepted yet. */
  def needs(index: Int): Bool = need(index)

  /** Begins a transaction, with the answer it had on its way in. */
  def begin(index: UInt, answer: LookupAnswer, retry: Bool): Unit = {
    need(index) := !answer.accepted
    blocked(index) := answer.blocked && !retry
    fresh(index) := !answer.blocked
  }
}
