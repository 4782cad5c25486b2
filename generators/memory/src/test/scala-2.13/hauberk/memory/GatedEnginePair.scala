package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.engine.EngineIO
import hauberk.memory.port.MemoryRequest

/** A gated engine beside one without a gate, on the same inputs. The outputs are those of the latter. */
class GatedEnginePair(val p: Protection) extends Module {
  val io = IO(new EngineIO(p.client, p.memory, p.cipher.keyBits, p.regions, p.takesHints) {

    /** Groups of outputs in which the two differ, in the order of `GatedEnginePair.outputs`. */
    val differences = Output(UInt(GatedEnginePair.outputs.size.W))

    /** The clock of the gated engine runs in this cycle. */
    val running = Output(Bool())
  })
  private val params = p.params
  private val ungated = params.copy(gated = false, cipher = params.cipher.copy(gated = false))
  private val gated = Module(new GatedProtectionEngine(p))
  private val plain = Module(new MemoryProtectionEngine(Protection(ungated, p.bank)))
  io.client <> plain.io.client
  io.memory <> plain.io.memory
  io.keyWanted := plain.io.keyWanted
  io.status := plain.io.status
  io.statistics := plain.io.statistics
  io.running := gated.io.running
  private val (g, e) = (gated.io, plain.io)
  g.client.request.valid := io.client.request.valid
  g.client.request.bits := io.client.request.bits
  g.client.response.ready := io.client.response.ready
  g.memory.request.ready := io.memory.request.ready
  g.memory.response.valid := io.memory.response.valid
  g.memory.response.bits := io.memory.response.bits
  for (engine <- Seq[EngineIO](g, e)) {
    engine.keyWrite := io.keyWrite
    engine.keyZeroize := io.keyZeroize
    engine.control := io.control
    for ((inner, outer) <- engine.regionWrite.zip(io.regionWrite)) { inner := outer }
    for ((inner, outer) <- engine.hint.zip(io.hint)) { inner := outer }
  }

  private def differ(a: Data, b: Data): Bool = a.asUInt =/= b.asUInt
  private def items(a: DecoupledIO[_ <: Data], b: DecoupledIO[_ <: Data]): Bool =
    a.valid =/= b.valid || (b.valid && differ(a.bits, b.bits))

  /** Requests to memory, of which reads have no data. */
  private def requests(engine: EngineIO): DecoupledIO[MemoryRequest] = {
    val asked = engine.memory.request
    val request = Wire(Decoupled(new MemoryRequest(p.memory)))
    request.ready := asked.ready
    request.valid := asked.valid
    request.bits := asked.bits
    when(!asked.bits.write) { request.bits.data := 0.U }
    request
  }
  io.differences := VecInit(
    g.client.request.ready =/= e.client.request.ready,
    items(g.client.response, e.client.response),
    items(requests(g), requests(e)),
    g.memory.response.ready =/= e.memory.response.ready,
    differ(g.keyWanted, e.keyWanted),
    differ(g.status, e.status),
    differ(g.statistics, e.statistics)
  ).asUInt
}

object GatedEnginePair {
  val outputs: Seq[String] =
    Seq(
      "readiness for requests",
      "responses",
      "requests to memory",
      "readiness for memory",
      "wanted key",
      "status",
      "statistics"
    )
}
