package hauberk.memory.engine

import chisel3._
import chisel3.util._

/** A read whose page may have an owner. */
class OwnerQuestion(val entryBits: Int, val blockBits: Int) extends Bundle {

  /** Returned with the answer. */
  val entry = UInt(entryBits.W)
  val block = UInt(blockBits.W)
}

/** Whether it has. */
class OwnerAnswer(val entryBits: Int) extends Bundle {
  val entry = UInt(entryBits.W)
  val owned = Bool()
}

/** Between an engine that verifies by owner, and who knows the owners of pages; seen from the engine. Each question that is taken is answered once, at any
  * time, in the cycle in which it is taken too; no beat of the read leaves before. An answer holds for the whole read, also if its page gets an owner
  * meanwhile: whoever gives pages has such reads verified before the owner runs.
  */
class OwnerPort(val entryBits: Int, val blockBits: Int) extends Bundle {
  val question = Decoupled(new OwnerQuestion(entryBits, blockBits))
  val answer = Flipped(Valid(new OwnerAnswer(entryBits)))
}
