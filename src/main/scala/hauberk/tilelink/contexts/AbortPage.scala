package hauberk.tilelink.contexts

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._

/** Takes the messages of a cache about lines that it must not have, and answers each so that the cache goes on: it is granted all it asks for, with ones
  * as data, and what it releases vanishes. To deny the grant would not do, because Rocket's data cache asks for a denied line for ever.
  *
  * One grant and one release at a time. A release waits for no grant: a cache may write a line back before it acknowledges another.
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
  private val released = RegInit(false.B)
  private val releaser = Reg(chiselTypeOf(io.release.bits.source))
  private val releasedSize = Reg(chiselTypeOf(io.release.bits.size))
  private val (_, lastReleased, _) = edge.firstlast(io.release)
  private val releaseAck = Wire(Decoupled(new TLBundleD(edge.bundle)))
  io.release.ready := !released
  releaseAck.valid := released
  releaseAck.bits := edge.ReleaseAck(releaser, releasedSize, false.B)
  when(releaseAck.valid && releaseAck.ready) { released := false.B }
  when(io.release.valid && io.release.ready && lastReleased) {
    released := true.B
    releaser := io.release.bits.source
    releasedSize := io.release.bits.size
  }

  private val idle :: permission :: data :: awaitAck :: Nil = Enum(4)
  private val state = RegInit(idle)
  private val source = Reg(chiselTypeOf(io.acquire.bits.source))
  private val size = Reg(chiselTypeOf(io.acquire.bits.size))
  io.acquire.ready := state === idle
  when(io.acquire.valid && io.acquire.ready) {
    state := Mux(io.acquire.bits.opcode === TLMessages.AcquireBlock, data, permission)
    source := io.acquire.bits.source
    size := io.acquire.bits.size
  }
  private val grant = Wire(Decoupled(new TLBundleD(edge.bundle)))
  grant.valid := state === permission || state === data
  grant.bits := edge.Grant(sink.U, source, size, TLPermissions.toT, ~0.U(edge.bundle.dataBits.W))
  when(state === permission) { grant.bits := edge.Grant(sink.U, source, size, TLPermissions.toT) }

  // A cache may acknowledge the first beat of its grant
  private val acknowledged = Reg(Bool())
  when(state === idle) { acknowledged := false.B }.elsewhen(io.acknowledged) { acknowledged := true.B }
  private val (_, lastGranted, _) = edge.firstlast(grant)
  when(grant.valid && grant.ready && lastGranted) {
    state := Mux(io.acknowledged || acknowledged, idle, awaitAck)
  }
  when(state === awaitAck && io.acknowledged) { state := idle }
  TLArbiter.lowest(edge, io.answer, releaseAck, grant)
}
