package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort}
import hauberk.memory.common.Geometry

/** After reset, writes zero to every unguarded counter: every block is then in the state of the encrypted image. What a tree
  * guards needs no initialisation, for its root, on chip, knows what was never written, and neither do the versions of a log, of which
  * [[TouchedLines]] knows it. The engine cannot be armed before, so nothing that memory held at reset is ever taken for a counter (adversary
  * A15). Takes a beat per cycle if memory does.
  */
class MetadataInitializer(p: Geometry) extends Module {
  private val params = p.memory
  private val inFlight = math.min(8, p.entries)
  private val lines =
    if (p.initialisesCounters) p.layout.counterLines else BigInt(0)
  private val lineBits = log2Ceil(lines + 1).max(1)
  val io = IO(new Bundle {
    val memory = new MemoryPort(params)
    val done = Output(Bool())

    /** Memory refused a write: initialisation never ends. */
    val refused = Output(Bool())
  })
  private val line = RegInit(0.U(lineBits.W))
  private val busy = RegInit(0.U(inFlight.W))
  private val failed = RegInit(false.B)
  private val finished = line === lines.U

  private val free = PriorityEncoder((~busy).asUInt)
  private val id = Reg(UInt(params.idBits.W))
  private val request = io.memory.request
  private val fires = request.valid && request.ready
  private val (first, last, _) = Burst.track(fires, (params.blockBeats - 1).U(params.beatIndexBits.W))
  request.valid := !finished && (!first || !busy.andR)
  request.bits.write := true.B
  request.bits.partial := false.B
  request.bits.address := p.layout.counterBase.U + (line << params.blockOffsetBits)
  request.bits.size := params.blockOffsetBits.U
  request.bits.id := Mux(first, free, id)
  request.bits.mask := ((BigInt(1) << params.beatBytes) - 1).U
  request.bits.data := 0.U
  request.bits.corrupt := false.B
  when(fires && first) { id := free }
  when(fires && last) { line := line + 1.U }

  private val response = io.memory.response
  response.ready := true.B
  private val taken = Mux(fires && first, UIntToOH(free, inFlight), 0.U)
  private val returned = Mux(response.valid, UIntToOH(response.bits.id, inFlight), 0.U)
  // A manager may acknowledge a burst before its last beat; the identifier stays busy until both are over
  private val early = RegInit(false.B)
  private val current = !first || (fires && first)
  private val currentId = Mux(first, free, id)
  private val acknowledgesCurrent = response.valid && current && response.bits.id === currentId && !(fires && last)
  when(acknowledgesCurrent) { early := true.B }
  private val late = fires && last && early
  when(late) { early := false.B }
  busy := (busy | taken) &
    (~Mux(acknowledgesCurrent, 0.U, returned)).asUInt & (~Mux(late, UIntToOH(currentId, inFlight), 0.U)).asUInt
  when(response.valid && response.bits.denied) { failed := true.B }
  io.refused := failed
  io.done := finished && busy === 0.U && !failed
}
