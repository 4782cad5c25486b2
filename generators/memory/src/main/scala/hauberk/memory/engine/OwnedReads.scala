package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** Which of a unit's reads wait for their verdict before a beat leaves: all, none, or those of pages with an owner. Until the answer, a read counts as one of
  * these. Hardware is added to the module that makes it.
  *
  * @param port of who knows the owners, if the scheme asks
  */
private[engine] class OwnedReads(p: Geometry, port: Option[OwnerPort]) {
  private val r = p.reads
  private val unknown, owned = RegInit(VecInit(Seq.fill(r)(false.B)))
  private val blocks = p.verifies && p.blocking

  /** Some reads may wait. */
  val some: Boolean = blocks || p.byOwner

  /** This one does. */
  def waits(entry: UInt): Bool = if (p.byOwner) unknown(entry) || owned(entry) else blocks.B

  /** Its answer is still to come: the entry must not be used again. */
  def isUnknown(entry: Int): Bool = unknown(entry)

  /** A read is taken into an entry. */
  def take(taken: Bool, entry: UInt, block: UInt): Unit = for (port <- port) {
    val questions = Module(new Queue(new OwnerQuestion(port.entryBits, p.core.blockIndexBits), r))
    questions.io.enq.valid := taken
    questions.io.enq.bits.entry := entry
    questions.io.enq.bits.block := block
    port.question <> questions.io.deq
    when(port.answer.valid) {
      unknown(port.answer.bits.entry) := false.B
      owned(port.answer.bits.entry) := port.answer.bits.owned
    }
    when(taken) { unknown(entry) := true.B }
  }
}
