package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.tilelink._
import hauberk.bus._

/** Adapters at one edge of a tile that encrypts for memory: [[TLPadGate]] and [[TLTilePads]], wired to the tile and to its
  * [[hauberk.bus.TilePads]] but for the key.
  *
  * @param coherent the edge has the channels B, C and E
  * @param groups   the groups of the pages of what passes
  */
private[tilelink] class TilePadEdge(
    p: BusParams,
    edge: TLEdgeIn,
    memory: AddressSet,
    in: TLBundle,
    coherent: Boolean,
    groups: PageGroupsOf,
    ports: TilePadsPorts
) {
  private val gate = Module(new TLPadGate(edge, memory, p.lineBytes))
  private val pads = Module(new TLTilePads(p, edge, memory))

  /** The tile's requests that may go to the shared bus. */
  val requests: DecoupledIO[TLBundleA] = gate.io.out

  /** Where answers from the shared bus go. */
  val answers: DecoupledIO[TLBundleD] = Wire(Decoupled(new TLBundleD(edge.bundle)))

  gate.io.in.valid := in.a.valid
  gate.io.in.bits := in.a.bits
  in.a.ready := gate.io.in.ready
  TLArbiter.lowest(edge, in.d, gate.io.answer, answers)

  pads.io.groups := groups
  pads.io.asks.valid := requests.valid && requests.ready
  pads.io.asks.bits := requests.bits
  pads.io.asked := 0.U.asTypeOf(pads.io.asked)
  pads.io.begins := 0.U.asTypeOf(pads.io.begins)
  if (coherent) {
    pads.io.asked.valid := in.b.valid && in.b.ready
    pads.io.asked.bits := in.b.bits
    pads.io.begins.valid := in.c.valid
    pads.io.begins.bits := in.c.bits
  }
  ports.encrypt <> pads.io.encrypt
  pads.io.encrypted <> ports.encrypted
  ports.decrypt <> pads.io.decrypt
  pads.io.decrypted <> ports.decrypted
  ports.expectEncryption := pads.io.expectEncryption
  ports.expectDecryption := pads.io.expectDecryption

  /** Messages of channel C on their way to the shared bus, and those of channel D on their way from it. */
  def leave(messages: DecoupledIO[BusMessage]): DecoupledIO[BusMessage] = {
    pads.io.leaving <> messages
    pads.io.left
  }
  def come(messages: DecoupledIO[BusMessage]): DecoupledIO[BusMessage] = {
    pads.io.coming <> messages
    pads.io.come
  }
}
