package hauberk.tilelink.exports

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.tilelink._

/** Holds what is read for some clients of one edge until it is verified. Once exports are forbidden, reads are denied; of an answer whose first beat had
  * left before, the rest are zeros, marked corrupt.
  *
  * An answer waits in a buffer of its own, since verification may need the answers behind it to go on; so only `blocks` requests of these clients are
  * under way at a time. Answers of other clients pass, and lose no cycle but those in which a verified answer goes before.
  *
  * @param exporters identifiers of these clients
  * @param blocks    requests of theirs under way
  */
private[exports] class DataGate(edge: TLEdgeIn, exporters: Seq[IdRange], blocks: Int) extends Module {
  val io = IO(new Bundle {
    val exports = Input(new ExportState)
    val check = Output(Bool())
    val request = new Bundle {
      val in = Flipped(Decoupled(new TLBundleA(edge.bundle)))
      val out = Decoupled(new TLBundleA(edge.bundle))
    }
    val response = new Bundle {
      val in = Flipped(Decoupled(new TLBundleD(edge.bundle)))
      val out = Decoupled(new TLBundleD(edge.bundle))
    }
  })
  private def isExporter(source: UInt): Bool = exporters.map(_.contains(source)).reduce(_ || _)
  private def fires[T <: Data](port: DecoupledIO[T]): Bool = port.valid && port.ready

  // Room for the whole answer is kept from the first beat of the request on
  private val owed = RegInit(0.U(log2Ceil(blocks + 1).W))
  private val request = io.request.in
  private val (firstAsked, _, _) = edge.firstlast(request)
  private val asks = isExporter(request.bits.source) && firstAsked
  private val full = asks && owed === blocks.U
  io.request.out.valid := request.valid && !full
  io.request.out.bits := request.bits
  request.ready := io.request.out.ready && !full

  private val response = io.response.in
  private val keeps = isExporter(response.bits.source) && response.bits.opcode =/= TLMessages.ReleaseAck
  private val blockBeats = math.max(1, edge.maxTransfer / edge.manager.beatBytes)
  private val answers = Module(new Queue(new TLBundleD(edge.bundle), blocks * blockBeats))
  answers.io.enq.valid := response.valid && keeps
  answers.io.enq.bits := response.bits
  private val (_, lastKept, _) = edge.firstlast(answers.io.enq)

  // An answer that has begun to leave is whole, and was verified as a whole
  private val whole = RegInit(0.U(log2Ceil(blocks + 1).W))
  private val leaving = Wire(Decoupled(new TLBundleD(edge.bundle)))
  private val (firstLeaves, lastLeaves, _) = edge.firstlast(leaving)
  private val carries = edge.hasData(answers.io.deq.bits)
  private val stained, denying = RegInit(false.B)
  private val stains = carries && (io.exports.forbidden || (stained && !firstLeaves))
  private val denies = Mux(firstLeaves, stains, denying)
  private val turn = Module(new ExportTurn)
  turn.io.exports := io.exports
  turn.io.stands := whole =/= 0.U && carries && firstLeaves
  turn.io.leaves := fires(leaving) && firstLeaves
  io.check := turn.io.check
  leaving.valid := answers.io.deq.valid && Mux(
    firstLeaves,
    whole =/= 0.U && (!carries || stains || turn.io.open),
    true.B
  )
  leaving.bits := answers.io.deq.bits
  when(stains) {
    leaving.bits.data := 0.U
    leaving.bits.corrupt := true.B
  }
  when(denies) { leaving.bits.denied := true.B }
  answers.io.deq.ready := leaving.ready && leaving.valid
  when(fires(leaving)) {
    stained := stains
    denying := denies
  }
  private val leaves = fires(leaving) && lastLeaves
  whole := whole + (fires(answers.io.enq) && lastKept) - leaves
  owed := owed + (fires(request) && asks) - leaves

  private val direct = Wire(Decoupled(new TLBundleD(edge.bundle)))
  direct.valid := response.valid && !keeps
  direct.bits := response.bits
  response.ready := Mux(keeps, answers.io.enq.ready, direct.ready)
  TLArbiter.lowest(edge, io.response.out, leaving, direct)
}
