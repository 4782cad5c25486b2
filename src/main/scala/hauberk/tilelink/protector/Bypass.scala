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
  * Each request is answered once, with the kind of message and the number of beats that it asks for. What memory sends beside that is dropped:
  * the client could take it for the answer to a request for protected memory.
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
  private val asked = Reg(Vec(Bypass.ids, new BypassedRequest(edgeIn.bundle)))

  private val taken = io.request.valid && io.request.ready
  private val first = edgeIn.first(io.request.bits, taken)
  private val free = PriorityEncoder(used.map(!_))
  private val ofBurst = Reg(UInt(Bypass.idBits.W))
  private val waits = first && used.reduce(_ && _)
  io.memoryRequest.valid := io.request.valid && !waits
  io.request.ready := io.memoryRequest.ready && !waits
  io.memoryRequest.bits := io.request.bits
  io.memoryRequest.bits.source := firstId.U | Mux(first, free, ofBurst)

  private val asks = Wire(new BypassedRequest(edgeIn.bundle))
  asks.source := io.request.bits.source
  asks.size := io.request.bits.size
  asks.answer := TLMessages.adResponse(io.request.bits.opcode)
  when(taken && first) {
    used(free) := true.B
    asked(free) := asks
    ofBurst := free
  }

  // A request may be answered in its own cycle, and wait for this answer to be taken: it is held here for the cycle in which the request is recorded
  private val response = Queue(io.memoryResponse, 2, pipe = false, flow = true)
  private val from = response.bits.source(Bypass.idBits - 1, 0)
  private val early = taken && first && free === from
  private val current = Reg(UInt(Bypass.idBits.W))
  io.response.bits := response.bits
  io.response.bits.source := asked(from).source
  io.response.bits.size := asked(from).size
  private val given = io.response.valid && io.response.ready
  private val (begins, ends, _, _) = edgeIn.firstlastHelper(io.response.bits, given)
  private val owed = used(from) && response.bits.opcode === asked(from).answer && (begins || from === current)
  io.response.valid := response.valid && owed
  response.ready := Mux(owed, io.response.ready, !early)
  when(given) { current := from }
  when(given && ends) { used(from) := false.B }
}

/** What the answer to a request must be. */
private[tilelink] class BypassedRequest(val params: TLBundleParameters) extends Bundle {
  val source = UInt(params.sourceBits.W)
  val size = UInt(params.sizeBits.W)
  val answer = UInt(3.W)
}

/** Identifiers of requests around one engine. */
private[tilelink] object Bypass {

  /** Requests around one engine at a time. */
  val ids = 4
  val idBits: Int = log2Ceil(ids)
}
