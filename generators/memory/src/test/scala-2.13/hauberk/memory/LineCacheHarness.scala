package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.cache._

/** What a test's look-up carries. */
class TestAccess extends Bundle {
  val write = Bool()
  val word = UInt(3.W)
  val value = UInt(64.W)
  val tag = UInt(16.W)
}

/** A guard for tests: seals by masking, holds every line for a while that depends on its bits, so that lines overtake each other, and lets
  * lines in before it settles them if `speculative`.
  */
class MaskingGuard(p: Protection, misses: Int, lineBits: Int, speculative: Boolean) extends LineGuard(p) {
  val io = IO(new LineGuardIO(p, misses, lineBits))
  private val cache = io.cache
  private def mask(line: UInt): UInt = {
    val word = Wire(UInt(64.W))
    word := (line +& 1.U) * "h9e3779b1".U(32.W)
    Cat(Seq.fill(p.bank.blockBytes / 8)(word))
  }
  private val held, released = RegInit(VecInit(Seq.fill(misses)(false.B)))
  private val left = Reg(Vec(misses, UInt(6.W)))
  private val lines = Reg(Vec(misses, UInt((p.bank.blockBytes * 8).W)))
  private val turn = RegInit(0.U(8.W))
  turn := turn + 1.U
  io.busy := true.B

  cache.fetched.ready := turn(1, 0) =/= 0.U
  when(cache.fetched.valid && cache.fetched.ready) {
    val i = cache.fetched.bits.miss
    held(i) := true.B
    released(i) := false.B
    left(i) := cache.fetched.bits.data(5, 0) ^ turn
    lines(i) := cache.fetched.bits.data ^ mask(cache.fetched.bits.line)
  }
  for (i <- 0 until misses) { when(held(i) && left(i) =/= 0.U) { left(i) := left(i) - 1.U } }
  private val toRelease =
    (0 until misses).map(i => held(i) && !released(i) && (if (speculative) true.B else left(i) === 0.U))
  private val next = PriorityEncoder(toRelease)
  cache.released.valid := toRelease.reduce(_ || _)
  cache.released.bits.miss := next
  cache.released.bits.data := lines(next)
  when(cache.released.valid) { released(next) := true.B }
  private val toSettle = (0 until misses).map(i => held(i) && released(i) && left(i) === 0.U)
  private val last = PriorityEncoder(toSettle)
  cache.settled.valid := toSettle.reduce(_ || _)
  cache.settled.bits.miss := last
  cache.settled.bits.ok := true.B
  when(cache.settled.valid) { held(last) := false.B }

  private val sealing = RegInit(false.B)
  private val leaving = Reg(UInt((p.bank.blockBytes * 8).W))
  private val waited = Reg(UInt(4.W))
  cache.seal.ready := !sealing
  when(cache.seal.valid && cache.seal.ready) {
    sealing := true.B
    leaving := cache.seal.bits.data ^ mask(cache.seal.bits.line)
    waited := turn
  }
  when(sealing) { waited := waited - 1.U }
  cache.sealedLine.valid := sealing && waited === 0.U
  cache.sealedLine.bits := leaving
  when(cache.sealedLine.valid) { sealing := false.B }
}

/** A [[LineCache]] whose lines are eight words; a look-up reads one of them, or exchanges it. */
class LineCacheHarness(val p: Protection, val c: MetadataCacheParams, val lineBits: Int, guard: LineCacheHarness.Guard)
    extends Module {
  val io = IO(new Bundle {
    val valid = Input(Bool())
    val line = Input(UInt(lineBits.W))
    val payload = Input(new TestAccess)
    val answer = Output(new LookupAnswer)
    val hit = Output(Bool())
    val miss = Output(Bool())
    val done = Output(Bool())
    val doneTag = Output(UInt(16.W))
    val doneLine = Output(UInt(lineBits.W))
    val old = Output(UInt(64.W))
    val retry = Output(Bool())
    val pinned = Flipped(Valid(UInt(lineBits.W)))
    val memory = new MemoryPort(p.memory)
    val flush = Input(Bool())
    val flushing = Output(Bool())
    val refused, faulty = Output(Bool())
    val unverified = Output(Bool())
    val idle = Output(Bool())
  })
  private val cache = Module(new LineCache(p, c, LineCacheHarness.base, lineBits, new TestAccess, 0))
  private val guards = Module(guard(p, c.mshrs, lineBits))
  guards.io.cache <> cache.io.guard
  cache.io.lookup.valid := io.valid
  cache.io.lookup.line := io.line
  cache.io.lookup.payload := io.payload
  io.answer := cache.io.lookup.answer
  io.hit := cache.io.lookup.hit
  io.miss := cache.io.lookup.miss
  private val access = cache.io.access
  private val words = access.bits.data.asTypeOf(Vec(8, UInt(64.W)))
  private val changed = WireInit(words)
  changed(access.bits.payload.word) := access.bits.payload.value
  cache.io.update.valid := access.valid && access.bits.payload.write
  cache.io.update.bits := changed.asUInt
  io.done := access.valid
  io.doneTag := access.bits.payload.tag
  io.doneLine := access.bits.line
  io.old := words(access.bits.payload.word)
  io.retry := cache.io.retry
  cache.io.pinned := io.pinned
  io.memory <> cache.io.memory
  cache.io.flush := io.flush
  io.flushing := cache.io.flushing
  io.refused := cache.io.refused
  io.faulty := cache.io.faulty
  io.unverified := cache.io.unsettled.orR
  io.idle := !cache.io.busy
}

object LineCacheHarness {
  val base: BigInt = 1 << 15
  type Guard = (Protection, Int, Int) => LineGuard
  val unguarded: Guard = (p, misses, lineBits) => new NoGuard(p, misses, lineBits)
  def masking(speculative: Boolean): Guard = (p, misses, lineBits) => new MaskingGuard(p, misses, lineBits, speculative)

  /** What memory holds of a word of a line under the [[MaskingGuard]], and back. */
  def hasKeystream(line: Int, word: BigInt): BigInt = word ^ ((BigInt(line) + 1) * BigInt(0x9e3779b1L))
}
