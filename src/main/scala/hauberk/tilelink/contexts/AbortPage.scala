package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._

/** Takes the messages of a cache about lines that it must not have, one at a time, and answers each so that the cache goes on: it is granted all it asks
  * for, with ones as data, and what it releases vanishes. To deny the grant would not do, because Rocket's data cache asks for a denied line for ever.
  *
  * @param sink identifier of its grants: one that the manager does not have
  */
private[contexts] class AbortPage(edge: TLEdgeIn, sink: Int) extends Module {
  val io = IO(new Bundle {
    val acquire = Flipped(Decoupled(new TLBundleA(edge.bundle)))
    val release = Flipped(Decoupled(new TLBundleC(edge.bundle)))
    val answer = Decoupled(new TLBundleD(edge.bundle))

    /** The cache acknowledges a grant of this. */
    val acknowledged = Input(Bool())
  })
  private val idle :: grant :: grantData :: releaseAck :: awaitAck :: Nil = Enum(5)
  private val state = RegInit(idle)
  private val source = Reg(chiselTypeOf(io.acquire.bits.source))
  private val size = Reg(chiselTypeOf(io.acquire.bits.size))

  // What is released comes in bursts, and goes first: a cache that is asked for lines by others waits for this
  private val (_, lastReleased, _) = edge.firstlast(io.release)
  io.release.ready := state === idle
  io.acquire.ready := state === idle && !io.release.valid
  when(io.release.valid && io.release.ready && lastReleased) {
    state := releaseAck
    source := io.release.bits.source
    size := io.release.bits.size
  }
  when(io.acquire.valid && io.acquire.ready) {
    state := Mux(io.acquire.bits.opcode === TLMessages.AcquireBlock, grantData, grant)
    source := io.acquire.bits.source
    size := io.acquire.bits.size
  }

  private val ones = ~0.U(edge.bundle.dataBits.W)
  io.answer.valid := state === grant || state === grantData || state === releaseAck
  io.answer.bits := edge.Grant(sink.U, source, size, TLPermissions.toT, ones)
  when(state === grant) { io.answer.bits := edge.Grant(sink.U, source, size, TLPermissions.toT) }
  when(state === releaseAck) { io.answer.bits := edge.ReleaseAck(source, size, false.B) }
  private val (_, lastAnswered, _) = edge.firstlast(io.answer)
  // A cache may acknowledge the first beat of its grant
  private val acknowledged = Reg(Bool())
  when(state === idle) { acknowledged := false.B }.elsewhen(io.acknowledged) { acknowledged := true.B }
  private val whole = state === releaseAck || io.acknowledged || acknowledged
  when(io.answer.valid && io.answer.ready && lastAnswered) { state := Mux(whole, idle, awaitAck) }
  when(state === awaitAck && io.acknowledged) { state := idle }
}
