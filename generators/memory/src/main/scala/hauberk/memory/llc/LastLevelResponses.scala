package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, InTurn, Lanes, MemoryRequestHeader, MemoryResponse}

/** A read that hit, with its line. */
class LastLevelHit(val g: LastLevelGeometry) extends Bundle {
  val header = new MemoryRequestHeader(g.client)
  val denied = Bool()
  val row = UInt(g.rowBits.W)
}

/** Answers in beats: of reads that hit, of misses, and acknowledgements of writes that hit; in turn, but never inside a burst. */
class LastLevelResponses(g: LastLevelGeometry) extends Module {
  val io = IO(new Bundle {
    val hit = Flipped(Decoupled(new LastLevelHit(g)))
    val miss = Flipped(Decoupled(new MemoryResponse(g.client)))
    val acknowledgement = Flipped(Decoupled(new MemoryResponse(g.client)))
    val out = Decoupled(new MemoryResponse(g.client))
  })
  private val params = g.client

  // The beats of the hit at the head; the first in the cycle in which its line is read
  private val hits = Queue(io.hit, 2, pipe = false, flow = true)
  private val of = Wire(Decoupled(new MemoryResponse(params)))
  private val (_, isLastHit, offset) = Burst.track(of.valid && of.ready, hits.bits.header.lastBeat)
  private val place = (hits.bits.header.firstBeat + offset)(params.beatIndexBits - 1, 0)
  of.valid := hits.valid
  of.bits.write := false.B
  of.bits.id := hits.bits.header.id
  of.bits.size := hits.bits.header.size
  of.bits.data := Lanes.beats(hits.bits.row, params)(place)
  of.bits.denied := hits.bits.denied
  hits.ready := of.ready && isLastHit

  private val sources = Seq(io.acknowledgement, io.miss, of)
  private val wants = VecInit(sources.map(_.valid)).asUInt
  private val before = RegInit(0.U(log2Ceil(sources.size).W))
  private val (first, _, _) =
    Burst.track(io.out.valid && io.out.ready, Mux(io.out.bits.write, 0.U, Burst.lastBeat(io.out.bits.size, params)))
  private val index = Mux(first, InTurn(sources.map(_.valid), before), before)
  private val chosen = UIntToOH(index, sources.size)
  when(io.out.valid && io.out.ready) { before := index }
  io.out.valid := (chosen & wants).orR
  io.out.bits := Mux1H(chosen, sources.map(_.bits))
  for ((source, i) <- sources.zipWithIndex) { source.ready := io.out.ready && chosen(i) }
}
