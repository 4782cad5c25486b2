package hauberk.memory.common

import chisel3._
import hauberk.abi.Codes

/** Why a protector raised its alarm; the first cause is kept until reset. */
object AlarmCause extends Codes {
  val none: Int = code(0, "none", "no alarm")
  val notArmed: Int = code(1, "not armed", "access before arming, which needs initialized engines and whole keys")
  val outsideData: Int = code(2, "outside the data", "access outside the data region, such as to metadata")
  val counterOverflow: Int = code(3, "counter overflow", "no fresh counter is left under this key")
  val metadataError: Int =
    code(
      4,
      "metadata error",
      "memory denied an access to metadata or a write that no client waits for, or such a write lost its key"
    )
  val blockMismatch: Int = code(5, "block mismatch", "a block is not the one last written")
  val metadataMismatch: Int = code(6, "metadata mismatch", "a line of metadata is not the one last written")
  val logMismatch: Int = code(7, "log mismatch", "the log does not add up: some block was not the one last written")
  val lateVerdict: Int =
    code(8, "late verdict", "memory kept a verdict on what was in use from coming for longer than the verdict timeout")
  val chipFault: Int = code(9, "chip fault", "state on the chip changed by itself (WithFaultChecks)")

  /** Why a store of metadata serves no longer: its own memory is wrong, or the memory off the chip refused. */
  def ofStore(faulty: Bool): UInt = Mux(faulty, chipFault.U, metadataError.U)
}
