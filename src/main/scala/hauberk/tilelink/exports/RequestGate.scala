package hauberk.tilelink.exports

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.TLDenier

/** Holds the requests of one edge that may leave the chip while something is unverified. Once exports are forbidden, they are denied; of a burst whose
  * first beat had gone before, the rest goes on as zeros, marked corrupt. Others pass, but none overtakes. Adds no cycle.
  *
  * @param destinations which requests may leave
  */
private[exports] class RequestGate(edge: TLEdgeIn, destinations: Destinations) extends Module {
  val io = IO(new Bundle {
    val exports = Input(new ExportState)
    val check = Output(Bool())
    val in = Flipped(Decoupled(new TLBundleA(edge.bundle)))
    val out = Decoupled(new TLBundleA(edge.bundle))
    val answer = Decoupled(new TLBundleD(edge.bundle))
  })
  // An arbiter may change its mind while a request waits: what a check was asked for is held, and no other leaves by that check
  private val in = Queue(io.in, 1, pipe = true, flow = true)
  private val (first, last, _) = edge.firstlast(in)
  private val goes = in.valid && in.ready
  private val exporting = destinations.isExport(in.bits)
  private val denying = RegInit(false.B)
  private val denies = Mux(first, exporting && io.exports.forbidden, denying)
  when(goes) { denying := denies && !last }
  private val stains = exporting && io.exports.forbidden && !denies

  private val turn = Module(new ExportTurn)
  turn.io.exports := io.exports
  turn.io.stands := in.valid && exporting
  turn.io.leaves := goes && exporting
  io.check := turn.io.check
  private val holds = exporting && !denies && !stains && !turn.io.open

  private val denier = Module(new TLDenier(edge))
  denier.io.request.valid := in.valid && denies
  denier.io.request.bits := in.bits
  io.out.valid := in.valid && !denies && !holds
  io.out.bits := in.bits
  when(stains) {
    io.out.bits.data := 0.U
    io.out.bits.corrupt := true.B
  }
  in.ready := Mux(denies, denier.io.request.ready, io.out.ready && !holds)
  io.answer <> denier.io.answer
}
