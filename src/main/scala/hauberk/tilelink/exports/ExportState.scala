package hauberk.tilelink.exports

import chisel3._

/** Whether data that were read from protected memory may leave the chip (AEGIS section 5). */
class ExportState extends Bundle {

  /** Something in use is not verified yet. */
  val unverified = Bool()

  /** A check of what was read is under way. */
  val checking = Bool()

  /** Verification failed, or the protector halted: no more exports until reset. */
  val forbidden = Bool()
}

/** The settling time of exports, in cycles. */
object ExportState {

  /** Cycles for which exports still wait when nothing is pending any more, so that a failure shows before they go on. */
  val settling = 4

  /** The signal now or in one of the last `settling` cycles. */
  def lately(signal: Bool): Bool = Seq.iterate(signal, settling + 1)(RegNext(_, false.B)).reduce(_ || _)
}
