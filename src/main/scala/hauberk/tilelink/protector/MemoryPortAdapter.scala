package hauberk.tilelink.protector

import chisel3._
import chisel3.util._
import freechips.rocketchip.tilelink._
import hauberk.memory.port.{MemoryRequest, MemoryResponse}

/** Turns TileLink-UH channels into block-level memory ports and back, without a register: only names and addresses change.
  *
  * Bursts are alike on both sides, so beats pass one for one. Poisoned data stay poisoned: what a corrupt beat writes goes to memory marked
  * corrupt, as the whole block that is encrypted anew with it, and what memory returns corrupt reaches the client denied or corrupt.
  */
private[tilelink] object MemoryPortAdapter {

  /** Presents a TileLink request as a request for the bank-local address it names. */
  def request(a: TLBundleA, map: BankMap, request: MemoryRequest): Unit = {
    request.write := a.opcode =/= TLMessages.Get
    request.partial := a.opcode === TLMessages.PutPartialData
    request.address := map.toLocal(a.address)
    request.size := a.size
    request.id := a.source
    request.mask := a.mask
    request.data := a.data
    request.corrupt := a.corrupt
  }

  /** Presents an engine's response as a TileLink response.
    *
    * What is refused from the first beat on is denied; a refusal that only a later beat brings marks that beat corrupt,
    * because TileLink wants `denied` constant over a burst.
    */
  def response(edge: TLEdgeIn, port: DecoupledIO[MemoryResponse]): DecoupledIO[TLBundleD] = {
    val response = port.bits
    val d = Wire(Decoupled(new TLBundleD(edge.bundle)))
    d.valid := port.valid
    port.ready := d.ready
    d.bits := Mux(
      response.write,
      edge.AccessAck(response.id, response.size, response.denied),
      edge.AccessAck(response.id, response.size, response.data, response.denied, response.denied)
    )
    val first = edge.first(d)
    val denied = Mux(first, response.denied, RegEnable(response.denied, first))
    d.bits.denied := denied
    d.bits.corrupt := !response.write && (denied || response.denied)
    d
  }

  /** Presents an engine's memory request as a TileLink request. */
  def request(edge: TLEdgeOut, port: DecoupledIO[MemoryRequest], map: BankMap): DecoupledIO[TLBundleA] = {
    val request = port.bits
    val a = Wire(Decoupled(new TLBundleA(edge.bundle)))
    val address = map.toGlobal(request.address)
    a.valid := port.valid
    port.ready := a.ready
    a.bits := Mux(
      request.write,
      Mux(
        request.partial,
        edge.Put(request.id, address, request.size, request.data, request.mask)._2,
        edge.Put(request.id, address, request.size, request.data)._2
      ),
      edge.Get(request.id, address, request.size)._2
    )
    a.bits.corrupt := request.write && request.corrupt
    a
  }

  /** Presents a TileLink response as a response to the engine's memory request. */
  def response(d: TLBundleD, response: MemoryResponse): Unit = {
    response.write := d.opcode === TLMessages.AccessAck
    response.id := d.source
    response.size := d.size
    response.data := d.data
    response.denied := d.denied || d.corrupt
  }
}
