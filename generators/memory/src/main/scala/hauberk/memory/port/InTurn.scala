package hauberk.memory.port

import chisel3._
import chisel3.util._

/** Chooses among requesters in turn, so that none waits for ever. */
private[memory] object InTurn {

  /** The first that wants to after `before`, else the first of all; 0 if none wants to.
    *
    * @param before whose turn it was
    */
  def apply(wants: Seq[Bool], before: UInt): UInt = {
    val later = wants.zipWithIndex.map { case (want, i) => want && i.U > before }
    PriorityEncoder(Mux(later.reduce(_ || _), VecInit(later).asUInt, VecInit(wants).asUInt))
  }
}
