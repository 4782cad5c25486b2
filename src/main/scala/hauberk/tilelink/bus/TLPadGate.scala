package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._

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
  private val (_, last, _) = edge.firstlast(io.in)
  private val carriesData = a.opcode === TLMessages.PutFullData || a.opcode === TLMessages.PutPartialData ||
    a.opcode === TLMessages.ArithmeticData || a.opcode === TLMessages.LogicalData
  private val partial = a.opcode === TLMessages.Get && a.size =/= log2Ceil(lineBytes).U
  private val forbidden = memory.contains(a.address) && (carriesData || partial)

  private val owes = RegInit(false.B)
  private val source = Reg(chiselTypeOf(a.source))
  private val size = Reg(chiselTypeOf(a.size))
  private val reads = Reg(Bool())
  io.out.valid := io.in.valid && !forbidden
  io.out.bits := a
  io.in.ready := Mux(forbidden, !owes, io.out.ready)
  when(io.in.valid && io.in.ready && forbidden && last) {
    owes := true.B
    source := a.source
    size := a.size
    reads := a.opcode =/= TLMessages.PutFullData && a.opcode =/= TLMessages.PutPartialData
  }
  io.answer.valid := owes
  io.answer.bits := Mux(
    reads,
    edge.AccessAck(source, size, 0.U, denied = true.B, corrupt = true.B),
    edge.AccessAck(source, size, denied = true.B)
  )
  private val (_, answered, _) = edge.firstlast(io.answer)
  when(io.answer.valid && io.answer.ready && answered) { owes := false.B }
}
