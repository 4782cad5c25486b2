package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort, MemoryRequest}
import hauberk.memory.common.Geometry

/** For the log hash, which must take the old value of a block out of the log before a new one goes in: puts a read of the block before
  * every write, marked by `p.isTake`, whose answer nobody sees. The write follows at once, for the core lets a write wait for the older reads
  * of its block, and nothing comes between the two.
  *
  * It asks for a beat, for which the core reads the whole block. A write takes one cycle more of the request channel; all else passes with no cycle added. Writes are of whole blocks.
  */
class TakeBeforeWrite(p: Geometry) extends Module {
  val io = IO(new Bundle {
    val client = Flipped(new MemoryPort(p.reencrypted))
    val core = new MemoryPort(p.core)
  })
  private val head = io.client.request
  private val out = io.core.request
  private val (first, _, _) = Burst.track(
    head.valid && head.ready,
    Mux(head.bits.write, Burst.lastBeat(head.bits.size, p.reencrypted), 0.U)
  )

  // The first beat of a write is taken when its read goes, so that the write cannot be withdrawn any more
  private val holds = RegInit(false.B)
  private val held = Reg(new MemoryRequest(p.reencrypted))
  private val takes = head.bits.write && first && !holds
  out.valid := holds || head.valid
  out.bits := Mux(holds, held, head.bits)
  out.bits.id := Cat(takes, Mux(holds, held.id, head.bits.id))
  when(takes) {
    out.bits.write := false.B
    out.bits.size := p.core.beatOffsetBits.U // the core reads the whole block, but answers a beat
  }
  head.ready := out.ready && !holds
  when(out.valid && out.ready) {
    holds := takes
    when(takes) { held := head.bits }
  }

  private val response = io.core.response
  private val mine = response.bits.id(p.core.idBits - 1)
  io.client.response.valid := response.valid && !mine
  io.client.response.bits := response.bits
  response.ready := mine || io.client.response.ready
}
