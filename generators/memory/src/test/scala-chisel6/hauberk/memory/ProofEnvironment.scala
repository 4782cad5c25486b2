package hauberk.memory

import chisel3._
import chisel3.reflect.DataMirror
import chisel3.util._
import hauberk.crypto._
import hauberk.memory.port._
import hauberk.memory.common.{Bank, MetadataCacheParams}
import hauberk.memory.counter.Timestamps
import hauberk.memory.engine.TransactionCoreIO

/** What proofs have in common: small parameters, and what the world around a part is assumed to keep. */
object ProofEnvironment {

  /** An engine as small as one with every part can be: 16-byte beats, 32-byte blocks, a cipher of one cycle. */
  val bank: Bank = Bank(localBytes = 1 << 11, beatBytes = 16, blockBytes = 32, idBits = 1)
  val small: ProtectionParams = ProtectionParams(
    counters = Timestamps(8, MetadataCacheParams(lines = 2, ways = 1, mshrs = 1)),
    cipher = AesParams(architecture = AesArchitecture.Pipelined(10)),
    reads = 2,
    writes = 2
  )

  /** The leaves of a bundle, always in the same order. */
  def leaves(data: Data): Seq[Element] = data match {
    case element: Element => Seq(element)
    case record: Record => record.elements.toSeq.sortBy(_._1).flatMap { case (_, inner) => leaves(inner) }
    case vector: Vec[_] => vector.flatMap(inner => leaves(inner))
  }
  def isInput(e: Element): Boolean = DataMirror.directionOf(e) == ActualDirection.Input

  /** Drives the inputs of an instance from ports of the same type. */
  def feed(instance: Data, ports: Data): Unit =
    for ((to, from) <- leaves(instance).zip(leaves(ports)) if isInput(from)) { to := from }

  /** Shows what an instance puts out at ports of the same type. */
  def show(instance: Data, ports: Data): Unit =
    for ((from, to) <- leaves(instance).zip(leaves(ports)) if !isInput(to)) { to := from }

  /** Asserts that two instances put out the same. */
  def assertSame(one: Data, two: Data): Unit =
    for ((a, b) <- leaves(one).zip(leaves(two)) if !isInput(a)) {
      assert(a.asUInt === b.asUInt).suggestName(s"same_${a.instanceName.replaceAll("\\W", "_")}")
    }

  /** What is beside requests, answers and keystream does nothing: no check, re-encryption, halt, or tags. */
  def nothingBeside(core: TransactionCoreIO): Unit = {
    core.check := false.B
    core.reencrypt.ready := false.B
    core.touch.ready := false.B
    core.reencrypted.valid := false.B
    core.reencrypted.bits := 0.U
    core.touched := false.B
    core.halted := false.B
    for (port <- core.cipher) {
      port.request.ready := false.B
      port.answer.valid := false.B
      port.answer.bits := 0.U.asTypeOf(port.answer.bits)
    }
  }

  /** What a free input is in the first cycle after reset, from then on. */
  def held[T <: Data](input: T): T = {
    val first = RegNext(false.B, true.B)
    Mux(first, input, RegEnable(input, first))
  }

  /** Assumes that the requests of a port keep the rules of [[MemoryPort]], with identifiers used once at a time. */
  def clientKeepsRules(port: MemoryPort, p: MemoryPortParams, wholeWrites: Boolean): Unit = {
    val r = port.request
    val last = Mux(r.bits.write, Burst.lastBeat(r.bits.size, p), 0.U)
    val (first, _, _) = Burst.track(r.valid && r.ready, last)
    val begun = Reg(new MemoryRequest(p))
    when(r.valid && r.ready) { begun := r.bits }
    val alike = r.bits.write && r.bits.partial === begun.partial && r.bits.address === begun.address &&
      r.bits.size === begun.size && r.bits.id === begun.id
    val bytes = (1.U((p.blockOffsetBits + 1).W) << r.bits.size).asUInt
    val aligned = (r.bits.address & (bytes - 1.U)) === 0.U && r.bits.size <= p.blockOffsetBits.U
    val busy = RegInit(0.U((1 << p.idBits).W))
    val a = port.response
    val (_, lastAnswer, _) = Burst.track(a.valid && a.ready, Mux(a.bits.write, 0.U, Burst.lastBeat(a.bits.size, p)))
    val begins = Mux(r.valid && r.ready && first, UIntToOH(r.bits.id), 0.U)
    val ends = Mux(a.valid && a.ready && lastAnswer, UIntToOH(a.bits.id), 0.U)
    busy := (busy | begins) & (~ends).asUInt
    assume(!r.valid || aligned)
    assume(!r.valid || Mux(first, !busy(r.bits.id), alike))
    if (wholeWrites) assume(!r.valid || !r.bits.write || (r.bits.size === p.blockOffsetBits.U && !r.bits.partial))
  }

  /** Assumes that memory answers what it was asked, once, burst by burst, a cycle after the request's last beat at the earliest; what it
    * answers is anything, and refusals are allowed.
    */
  def memoryKeepsRules(port: MemoryPort, p: MemoryPortParams): Unit = {
    val r = port.request
    val (_, lastBeat, _) = Burst.track(r.valid && r.ready, Mux(r.bits.write, Burst.lastBeat(r.bits.size, p), 0.U))
    val asked = RegInit(0.U((1 << p.idBits).W))
    val header = Reg(Vec(1 << p.idBits, new MemoryRequestHeader(p)))
    val writes = Reg(Vec(1 << p.idBits, Bool()))
    when(r.valid && r.ready) {
      header(r.bits.id) := MemoryRequestHeader(p, r.bits)
      writes(r.bits.id) := r.bits.write
    }
    val a = port.response
    val (firstAnswer, lastAnswer, _) =
      Burst.track(a.valid && a.ready, Mux(a.bits.write, 0.U, Burst.lastBeat(a.bits.size, p)))
    val answering = Reg(UInt(p.idBits.W))
    when(a.valid && a.ready) { answering := a.bits.id }
    val begins = Mux(r.valid && r.ready && lastBeat, UIntToOH(r.bits.id), 0.U)
    val ends = Mux(a.valid && a.ready && lastAnswer, UIntToOH(a.bits.id), 0.U)
    asked := (asked | begins) & (~ends).asUInt
    assume(
      !a.valid || (asked(a.bits.id) && a.bits.write === writes(a.bits.id) && a.bits.size === header(a.bits.id).size)
    )
    assume(!a.valid || firstAnswer || a.bits.id === answering)
  }
}

/** Stands for the core of AES: takes a block a cycle and answers with anything a cycle later. It never looks at the key, so that what comes out
  * is the same in two copies of a design under different keys: the cipher as a function nothing is known of.
  *
  * @param leaks breaks it: the key comes out
  */
class StandInCore(params: AesParams, leaks: Boolean = false) extends Module {
  override def desiredName: String = "StandInCore"
  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new AesRequest(params.keyBits, params.tagBits)))
    val response = Decoupled(new AesResponse(params.tagBits))
  })
  io.request.ready := true.B
  io.response.valid := RegNext(io.request.valid, false.B)
  io.response.bits.tag := RegNext(io.request.bits.tag)
  io.response.bits.block := DontCare
  if (leaks) io.response.bits.block := RegNext(io.request.bits.key(127, 0))
}

object StandInCore {
  def beside(params: AesParams, leaks: Boolean = false): Unit = {
    val core = Module(new StandInCore(params, leaks))
    core.io.request.valid := false.B
    core.io.request.bits := 0.U.asTypeOf(core.io.request.bits)
    core.io.response.ready := true.B
  }
}
