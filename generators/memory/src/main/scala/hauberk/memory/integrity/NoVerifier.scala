package hauberk.memory.integrity

import chisel3._
import hauberk.memory.common.{AlarmCause, Geometry}

/** Of a scheme without integrity: nothing is asked of memory, and no transaction waits for a verdict. */
class NoVerifier(p: Geometry) extends Verifier(p) {
  io.digest.foreach(_.ready := true.B)
  io.verdict.valid := false.B
  io.verdict.bits := 0.U.asTypeOf(new Verdict(p))
  io.memory.idle()
  io.flushing := false.B
  io.busy := false.B
  io.alarm := AlarmCause.none.U
  io.alarmAddress := 0.U
  io.unverified := false.B
  io.late := false.B
  io.fenced := io.fence
  io.hit := false.B
  io.miss := false.B
  withoutNodes()
  withoutCheck()
}
