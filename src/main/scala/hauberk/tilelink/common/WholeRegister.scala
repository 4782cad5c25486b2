package hauberk.tilelink.common

import chisel3._
import chisel3.util._
import freechips.rocketchip.regmapper._

/** Registers of 64 bits that are accessed whole. What is only written reads as zero. */
private[tilelink] object WholeRegister {
  def read(value: UInt): Seq[RegField] = Seq(RegField.r(64, value + 0.U(64.W)))

  /** Holds what was written last. */
  def held(word: UInt): Seq[RegField] = Seq(RegField.w(64, RegWriteFn(word)))

  /** Says what is written in the cycle in which it is. */
  def write(written: Valid[UInt]): Seq[RegField] = Seq(RegField.w(64, taken(written)))
  def taken(written: Valid[UInt]): RegWriteFn = RegWriteFn { (valid, data) =>
    written.valid := valid
    written.bits := data
    true.B
  }
}
