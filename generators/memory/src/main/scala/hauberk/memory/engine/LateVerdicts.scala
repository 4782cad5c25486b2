package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.cache.VerdictTimer
import hauberk.memory.common.Geometry

/** Whether a read, a counter line that one rests on, or a line of the verifier has been in use for too long without its verdict. Hardware is added to the
  * module that makes it.
  *
  * @param counters pending verdicts on counter lines
  * @param verifier it says so of what it keeps
  */
private[engine] class LateVerdicts(p: Geometry, reads: ReadUnitIO, counters: UInt, verifier: Bool) {
  private val timer =
    if (p.speculates) Some(Module(new VerdictTimer(p.reads + p.counterFetches, p.verdictTimeout)).io) else None
  timer.foreach(_.pending := Cat(counters, reads.unverified))
  private val found = timer.fold(0.U)(_.late)
  reads.late := found
  val isLate: Bool = verifier || found.orR

  /** The block of such a read, else where such metadata are. */
  val address: UInt = Mux(
    found.orR,
    reads.lateBlock << p.core.blockOffsetBits,
    Mux(verifier, p.layout.tagBase.U, p.layout.counterBase.U)
  )
}
