package hauberk.tilelink.instruction

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.tilelink._
import hauberk.bus.Choose
import hauberk.instruction._

/** An encryption management unit on the fetches of one edge: reads by the sources of an instruction cache. All else passes unchanged, in the cycle
  * it comes. Of a burst, all that comes after something that is denied is corrupt, and without data.
  *
  * @param sources the identifiers of the instruction cache
  */
private[tilelink] class FetchFilter(val p: EmuParams, in: TLEdgeIn, out: TLEdgeOut, sources: Seq[IdRange])
    extends Module {
  val io = IO(new Bundle {
    val tileA = Flipped(Decoupled(new TLBundleA(in.bundle)))
    val tileD = Decoupled(new TLBundleD(in.bundle))
    val busA = Decoupled(new TLBundleA(out.bundle))
    val busD = Flipped(Decoupled(new TLBundleD(out.bundle)))
    val commands = Flipped(new EmuCommands(p))
    val flushed = Input(Bool())
    val stale = Output(Bool())
  })
  private val emu = Module(new EncryptionManagementUnit(p))
  emu.io.commands <> io.commands
  emu.io.flushed := io.flushed
  io.stale := emu.io.stale

  private val numbers = sources.flatMap(range => range.start until range.end)
  private def idOf(source: UInt): UInt = Mux1H(numbers.zipWithIndex.map { case (number, id) =>
    (source === number.U) -> id.U(p.idBits.W)
  })
  private def isFetcher(source: UInt): Bool = numbers.map(source === _.U).reduce(_ || _)
  private val sourceOf = numbers.map(_.U(in.bundle.sourceBits.W))

  // Requests
  private val a = io.tileA
  private val fetches = a.bits.opcode === TLMessages.Get && isFetcher(a.bits.source)
  private val request = emu.io.processor.request
  request.valid := a.valid && fetches
  request.bits.id := idOf(a.bits.source)
  request.bits.address := a.bits.address
  request.bits.size := a.bits.size
  private val onward = emu.io.memory.request
  onward.ready := io.busA.ready
  io.busA.valid := Mux(fetches, onward.valid, a.valid)
  io.busA.bits := a.bits
  when(fetches) {
    io.busA.bits.address := onward.bits.address
    io.busA.bits.size := onward.bits.size
    io.busA.bits.mask := out.mask(onward.bits.address, onward.bits.size)
  }
  a.ready := Mux(fetches, request.ready, io.busA.ready)

  /** The size the tile asked for, by fetch. */
  private val sizes = Reg(Vec(p.ids, UInt(in.bundle.sizeBits.W)))
  when(request.valid && request.ready) { sizes(p.place(request.bits.id)) := a.bits.size }

  // Answers
  private val d = io.busD
  private val answers = d.bits.opcode === TLMessages.AccessAckData && isFetcher(d.bits.source)
  private val arrives = emu.io.memory.beat
  arrives.valid := d.valid && answers
  arrives.bits.id := idOf(d.bits.source)
  arrives.bits.data := d.bits.data
  arrives.bits.denied := d.bits.denied || d.bits.corrupt
  private val others = Wire(Decoupled(new TLBundleD(in.bundle)))
  others.valid := d.valid && !answers
  others.bits := d.bits
  d.ready := Mux(answers, arrives.ready, others.ready)

  private val goes = emu.io.processor.beat
  private val fetched = Wire(Decoupled(new TLBundleD(in.bundle)))
  // A burst is denied from its first beat on, or not at all: a later refusal makes its beats corrupt
  private val (first, _, _, _) = in.count(fetched)
  private val deniedBefore, corruptBefore = Reg(Bool())
  private val denied = Mux(first, goes.bits.denied, deniedBefore)
  private val corrupt = goes.bits.denied || (!first && corruptBefore)
  when(fetched.valid && fetched.ready) {
    deniedBefore := denied
    corruptBefore := corrupt
  }
  fetched.valid := goes.valid
  fetched.bits := in.AccessAck(
    Choose(sourceOf, goes.bits.id),
    Choose(sizes, goes.bits.id),
    Mux(corrupt, 0.U, goes.bits.data),
    denied,
    corrupt
  )
  goes.ready := fetched.ready
  TLArbiter.robin(in, io.tileD, others, fetched)
}
