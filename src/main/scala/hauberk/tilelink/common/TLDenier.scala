package hauberk.tilelink.common

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._

/** Takes requests that must not go on, one at a time, and answers each `denied`, and `corrupt` if the answer carries data, when its last beat is in.
  * The next is taken when the answer has left. For all requests of channel A but Acquire.
  */
private[tilelink] class TLDenier(edge: TLEdgeIn) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new TLBundleA(edge.bundle)))
    val answer = Decoupled(new TLBundleD(edge.bundle))
  })
  private val owes = RegInit(false.B)
  private val opcode = Reg(chiselTypeOf(io.request.bits.opcode))
  private val source = Reg(chiselTypeOf(io.request.bits.source))
  private val size = Reg(chiselTypeOf(io.request.bits.size))
  private val (_, last, _) = edge.firstlast(io.request)
  io.request.ready := !owes
  when(io.request.valid && io.request.ready && last) {
    owes := true.B
    opcode := io.request.bits.opcode
    source := io.request.bits.source
    size := io.request.bits.size
  }
  private val writes = opcode === TLMessages.PutFullData || opcode === TLMessages.PutPartialData
  io.answer.valid := owes
  io.answer.bits := edge.AccessAck(source, size, 0.U, denied = true.B, corrupt = true.B)
  when(writes) { io.answer.bits := edge.AccessAck(source, size, denied = true.B) }
  when(opcode === TLMessages.Hint) { io.answer.bits := edge.HintAck(source, size, denied = true.B) }
  private val (_, answered, _) = edge.firstlast(io.answer)
  when(io.answer.valid && io.answer.ready && answered) { owes := false.B }
}
