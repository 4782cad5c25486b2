package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.memory.engine.EngineIO
import hauberk.tilelink.common.{Join, UncachedPort}

/** Joins one engine to one TileLink edge. Requests for what is not in the protected region pass around the engine, if there
  * is such memory on the edge, and share the channels with it burst by burst.
  */
private[tilelink] object EngineEdge {

  /** @param aroundStart first source identifier below of requests that pass around ([[Bypass]]) */
  def apply(engine: EngineIO, map: BankMap, region: ProtectedRegion, aroundStart: Int)(
      in: TLBundle,
      edgeIn: TLEdgeIn,
      out: TLBundle,
      edgeOut: TLEdgeOut
  ): Unit = {
    require(
      !edgeIn.client.wantsEcho,
      "requests reach the memory protector with fields it would have to hand back: use a coherence manager, which keeps them"
    )
    val hasAround = region.hasOutside(edgeOut.manager)
    val inside = if (hasAround) region.contains(in.a.bits.address) else true.B
    val fromAround = hasAround.B && out.d.bits.source >= aroundStart.U

    engine.client.request.valid := in.a.valid && inside
    MemoryPortAdapter.request(in.a.bits, map, engine.client.request.bits)
    engine.memory.response.valid := out.d.valid && !fromAround
    MemoryPortAdapter.response(out.d.bits, engine.memory.response.bits)
    val requests = MemoryPortAdapter.request(edgeOut, engine.memory.request, map)
    val responses = MemoryPortAdapter.response(edgeIn, engine.client.response)

    if (hasAround) {
      val around = Module(new Bypass(edgeIn, edgeOut, aroundStart)).io
      around.request.valid := in.a.valid && !inside
      around.request.bits := in.a.bits
      around.memoryResponse.valid := out.d.valid && fromAround
      around.memoryResponse.bits := out.d.bits

      in.a.ready := Mux(inside, engine.client.request.ready, around.request.ready)
      out.d.ready := Mux(fromAround, around.memoryResponse.ready, engine.memory.response.ready)
      TLArbiter.robin(edgeOut, out.a, requests, around.memoryRequest)
      TLArbiter.robin(edgeIn, in.d, responses, around.response)
    } else {
      in.a.ready := engine.client.request.ready
      out.d.ready := engine.memory.response.ready
      Join(out.a, requests)
      Join(in.d, responses)
    }

    // Memory behind the coherence manager is not cached above it
    UncachedPort.tieOff(in, out)
  }
}
