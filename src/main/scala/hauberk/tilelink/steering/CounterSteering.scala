package hauberk.tilelink.steering

import chisel3._
import chisel3.util._
import freechips.rocketchip.tile.{LazyRoCC, LazyRoCCModuleImp, OpcodeSet}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.bundlebridge._

/** A RoCC unit for the instructions that steer counters ([[SteeringInstruction]]). It takes one a cycle, answers none of them, and so never stalls the core. A hint leaves in the
  * cycle in which its instruction comes, so that it is at the protector no later than the access of the next instruction.
  *
  * Addresses are virtual. Where they are not physical, hints are of other blocks, which costs time and nothing else.
  */
class CounterSteering(implicit p: Parameters) extends LazyRoCC(OpcodeSet.custom0) {
  val hints = BundleBridgeSource(() => Valid(new SteeringHint))
  override lazy val module = new CounterSteeringModule(this)
}

/** The unit's hardware. */
class CounterSteeringModule(outer: CounterSteering) extends LazyRoCCModuleImp(outer) {
  private val hints = outer.hints.bundle
  io.cmd.ready := !io.cmd.bits.inst.xd || io.resp.ready
  hints.valid := io.cmd.valid
  hints.bits := SteeringInstruction.decode(io.cmd.bits.inst.asUInt, io.cmd.bits.rs1)

  // An instruction that asks for a result is none of these, and gets 0: else whoever reads the result would wait for ever
  io.resp.valid := io.cmd.valid && io.cmd.bits.inst.xd
  io.resp.bits.rd := io.cmd.bits.inst.rd
  io.resp.bits.data := 0.U
  io.mem <> DontCare
  io.mem.req.valid := false.B
  io.mem.s1_kill := false.B
  io.busy := false.B
  io.interrupt := false.B
  io.fpu_req.valid := false.B
  io.fpu_req.bits := DontCare
  io.fpu_resp.ready := false.B
}
