package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import hauberk.memory.engine.OwnerPort

/** The address of a read of each engine whose page may have an owner ([[hauberk.memory.integrity.Verification.ByOwner]]). */
class PageOwnerQuestions(val engines: Int) extends Bundle {
  val addresses = Vec(engines, Valid(UInt(64.W)))
}

/** What is known of these in the same cycle. A read that nothing is known of stays there. */
class PageOwnerAnswers(val engines: Int) extends Bundle {
  val known = Vec(engines, Bool())
  val owned = Vec(engines, Bool())
}

private[protector] object PageOwnerQuestions {

  /** Ties the port of one engine.
    *
    * @param address of a block of this engine
    */
  def tie(port: OwnerPort, address: UInt => UInt, question: Valid[UInt], known: Bool, owned: Bool): Unit = {
    question.valid := port.question.valid
    question.bits := address(port.question.bits.block)
    port.question.ready := known
    port.answer.valid := port.question.valid && known
    port.answer.bits.entry := port.question.bits.entry
    port.answer.bits.owned := owned
  }
}
