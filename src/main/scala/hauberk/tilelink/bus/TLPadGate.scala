package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.tilelink.common.TLDenier

/** Lets of a tile's requests to memory that it encrypts itself only those pass that are about whole lines and bring no data: Acquire, Get of
  * a line, and hints. All others would put plaintext into memory, or read ciphertext; they are answered `denied`, and reads `corrupt`, too.
  *
  * Adds no cycle. Caches never ask for anything else.
  *
  * @param memory    the memory that the tile encrypts
  * @param lineBytes size of a line
  */
private[tilelink] class TLPadGate(edge: TLEdgeIn, memory: AddressSet, lineBytes: Int) extends Module {
  val io = IO(new Bundle {
    val in = Flipped(Decoupled(new TLBundleA(edge.bundle)))
    val out = Decoupled(new TLBundleA(edge.bundle))
    val answer = Decoupled(new TLBundleD(edge.bundle))
  })
  private val a = io.in.bits
  private val carriesData = a.opcode === TLMessages.PutFullData || a.opcode === TLMessages.PutPartialData ||
    a.opcode === TLMessages.ArithmeticData || a.opcode === TLMessages.LogicalData
  private val partial = a.opcode === TLMessages.Get && a.size =/= log2Ceil(lineBytes).U
  private val forbidden = memory.contains(a.address) && (carriesData || partial)

  private val denier = Module(new TLDenier(edge))
  denier.io.request.valid := io.in.valid && forbidden
  denier.io.request.bits := a
  io.out.valid := io.in.valid && !forbidden
  io.out.bits := a
  io.in.ready := Mux(forbidden, denier.io.request.ready, io.out.ready)
  io.answer <> denier.io.answer
}
