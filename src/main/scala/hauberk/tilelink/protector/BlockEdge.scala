package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.memory.port.MemoryPort
import hauberk.tilelink.common.{Join, UncachedPort}

/** Joins a unit with block-level ports, an engine or a cache, to one TileLink edge. Requests for what is not in the unit's region pass around it,
  * if there is such memory on the edge, and share the channels with it burst by burst.
  */
private[tilelink] object BlockEdge {

  /** @param client      port of the unit towards the coherence manager
    * @param memory      port of the unit towards memory
    * @param aroundStart first source identifier below of requests that pass around ([[Bypass]])
    */
  def apply(client: MemoryPort, memory: MemoryPort, map: BankMap, region: ProtectedRegion, aroundStart: Int)(
      in: TLBundle,
      edgeIn: TLEdgeIn,
      out: TLBundle,
      edgeOut: TLEdgeOut
  ): Unit = {
    require(
      !edgeIn.client.wantsEcho,
      "requests behind the coherence manager have fields that would have to be handed back: use a coherence manager, which keeps them"
    )
    val hasAround = region.hasOutside(edgeOut.manager)
    val inside = if (hasAround) region.contains(in.a.bits.address) else true.B
    val fromAround = hasAround.B && out.d.bits.source >= aroundStart.U

    client.request.valid := in.a.valid && inside
    MemoryPortAdapter.request(in.a.bits, map, client.request.bits)
    memory.response.valid := out.d.valid && !fromAround
    MemoryPortAdapter.response(out.d.bits, memory.response.bits)
    val requests = MemoryPortAdapter.request(edgeOut, memory.request, map)
    val responses = MemoryPortAdapter.response(edgeIn, client.response)

    if (hasAround) {
      val around = Module(new Bypass(edgeIn, edgeOut, aroundStart)).io
      around.request.valid := in.a.valid && !inside
      around.request.bits := in.a.bits
      around.memoryResponse.valid := out.d.valid && fromAround
      around.memoryResponse.bits := out.d.bits

      in.a.ready := Mux(inside, client.request.ready, around.request.ready)
      out.d.ready := Mux(fromAround, around.memoryResponse.ready, memory.response.ready)
      TLArbiter.robin(edgeOut, out.a, requests, around.memoryRequest)
      TLArbiter.robin(edgeIn, in.d, responses, around.response)
    } else {
      in.a.ready := client.request.ready
      out.d.ready := memory.response.ready
      Join(out.a, requests)
      Join(in.d, responses)
    }

    // Memory behind the coherence manager is not cached above it
    UncachedPort.tieOff(in, out)
  }
}
