package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._

/** Requests for memory that is not protected, on their way around an engine.
  *
  * Below, they have a few source identifiers of their own in place of the client's, since the identifiers of all banks meet there, and every
  * bit of them doubles what Rocket Chip's fragmenters and monitors remember. With all in use, a request waits; else it loses no cycle, and
  * neither does its response.
  *
  * @param firstId the first of [[Bypass.ids]] identifiers below, a multiple of their number
  */
private[tilelink] class Bypass(edgeIn: TLEdgeIn, edgeOut: TLEdgeOut, firstId: Int) extends Module {
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new TLBundleA(edgeIn.bundle)))
    val response = Decoupled(new TLBundleD(edgeIn.bundle))
    val memoryRequest = Decoupled(new TLBundleA(edgeOut.bundle))
    val memoryResponse = Flipped(Decoupled(new TLBundleD(edgeOut.bundle)))
  })
  private val used = RegInit(VecInit(Seq.fill(Bypass.ids)(false.B)))
  private val sources = Reg(Vec(Bypass.ids, UInt(edgeIn.bundle.sourceBits.W)))

  private val taken = io.request.valid && io.request.ready
  private val first = edgeIn.first(io.request.bits, taken)
  private val free = PriorityEncoder(used.map(!_))
  private val ofBurst = Reg(UInt(Bypass.idBits.W))
  private val waits = first && used.reduce(_ && _)
  io.memoryRequest.valid := io.request.valid && !waits
  io.request.ready := io.memoryRequest.ready && !waits
  io.memoryRequest.bits := io.request.bits
  io.memoryRequest.bits.source := firstId.U | Mux(first, free, ofBurst)

  private val answered = io.memoryResponse.bits.source(Bypass.idBits - 1, 0)
  private val given = io.memoryResponse.valid && io.memoryResponse.ready
  io.response.valid := io.memoryResponse.valid
  io.memoryResponse.ready := io.response.ready
  io.response.bits := io.memoryResponse.bits
  // A request that is answered in its own cycle is not recorded yet
  io.response.bits.source := Mux(used(answered), sources(answered), io.request.bits.source)

  when(taken && first) {
    used(free) := true.B
    sources(free) := io.request.bits.source
    ofBurst := free
  }
  when(given && edgeOut.last(io.memoryResponse.bits, given)) { used(answered) := false.B }
}

/** Identifiers of requests around one engine. */
private[tilelink] object Bypass {

  /** Requests around one engine at a time. */
  val ids = 4
  val idBits: Int = log2Ceil(ids)
}
