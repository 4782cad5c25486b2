package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{Geometry, MetadataCacheParams}
import hauberk.memory.cache.{LineCache, LineGuard, LineGuardIO, LookupAnswer}

/** Operation of an access on the version of a block. */
object VersionUse {

  /** `prefetch` brings the line into the cache; a read is an `exchange`: it takes the old version and puts a new one; `take` only takes it, a
    * write only `put`s one; `look` is for the whole line.
    */
  val prefetch :: exchange :: take :: put :: look :: Nil = Enum(5)
  val width: Int = prefetch.getWidth
}

/** A look-up of a version. */
class VersionAccess(val p: Geometry) extends Bundle {
  val use = UInt(VersionUse.width.W)
  val entry = UInt(p.entryBits.W)

  /** Place in the line. */
  val index = UInt(log2Ceil(p.layout.shape.versionsPerLine).W)
}

/** Ports of a [[VersionGuard]]. */
class VersionGuardIO(p: Geometry, mshrs: Int, lineBits: Int) extends LineGuardIO(p, mshrs, lineBits) {
  val ask = Valid(UInt(lineBits.W))
  val written = Input(Bool())
}

/** A version line that was never written is all zero, whatever memory holds: so versions need no initialisation. What was written, the log itself
  * verifies.
  */
class VersionGuard(p: Geometry, mshrs: Int, lineBits: Int) extends LineGuard(p) {
  val io = IO(new VersionGuardIO(p, mshrs, lineBits))
  private val cache = io.cache
  private val written = RegInit(VecInit(Seq.fill(mshrs)(false.B)))
  io.ask.valid := cache.opened.valid
  io.ask.bits := cache.opened.bits.line
  private val answers = RegNext(cache.opened.valid, false.B)
  when(answers) { written(RegNext(cache.opened.bits.miss)) := io.written }

  io.busy := answers
  cache.fetched.ready := !answers
  private val fires = cache.fetched.valid && !answers
  cache.released.valid := fires
  cache.released.bits.miss := cache.fetched.bits.miss
  cache.released.bits.data := Mux(written(cache.fetched.bits.miss), cache.fetched.bits.data, 0.U)
  cache.settled.valid := fires
  cache.settled.bits.miss := cache.fetched.bits.miss
  cache.settled.bits.ok := true.B
  cache.seal.ready := true.B
  cache.sealedLine.valid := cache.seal.valid
  cache.sealedLine.bits := cache.seal.bits.data
}

/** Ports of a [[VersionStore]]. */
class VersionStoreIO(val p: Geometry) extends Bundle {
  private val lineBits = VersionStore.lineBits(p)
  val lookup = new Bundle {
    val valid = Input(Bool())
    val line = Input(UInt(lineBits.W))
    val bits = Input(new VersionAccess(p))
    val answer = Output(new LookupAnswer)
  }

  /** An access takes place: the version that stands there, and the line. */
  val access = Valid(new VersionAccess(p))
  val old = Output(UInt(VersionStore.versionBits.W))
  val line = Output(UInt((p.bank.blockBytes * 8).W))

  /** Replaces the version, in the same cycle, if `use` puts one. */
  val fresh = Input(UInt(VersionStore.versionBits.W))
  val retry = Output(Bool())

  /** Reads of the bits of lines that were ever written ([[TouchedLines]]). */
  val scan = Flipped(Decoupled(UInt(TouchedLines.wordBits(p.layout.versionLines.toInt).W)))
  val word = Output(UInt(TouchedLines.perWord.W))
  val memory = new MemoryPort(p.memory)
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val refused = Output(Bool())

  /** `refused`, because of the chip's own memory. */
  val faulty = Output(Bool())

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())
  val hit = Output(Bool())
  val miss = Output(Bool())
}

/** The log's versions, 32 bits a block at `versionBase + 4 * block`, in front of untrusted memory.
  *
  * @param c       geometry of the cache of version lines
  * @param firstId first of `c.ids` identifiers on the memory side
  */
class VersionStore(p: Geometry, c: MetadataCacheParams, firstId: Int) extends Module {
  private val perLine = p.layout.shape.versionsPerLine
  private val lineBits = VersionStore.lineBits(p)
  private val bits = VersionStore.versionBits
  val io = IO(new VersionStoreIO(p))
  private val cache = Module(new LineCache(p, c, p.layout.versionBase, lineBits, new VersionAccess(p), firstId))
  private val guard = Module(new VersionGuard(p, c.mshrs, lineBits))
  private val touched = Module(new TouchedLines(p.layout.versionLines.toInt, lineBits))
  guard.io.cache <> cache.io.guard
  touched.io.ask := guard.io.ask
  guard.io.written := touched.io.answer
  touched.io.scan <> io.scan
  io.word := touched.io.word

  cache.io.lookup.valid := io.lookup.valid && touched.io.cleared
  cache.io.lookup.line := io.lookup.line
  cache.io.lookup.payload := io.lookup.bits
  io.lookup.answer := cache.io.lookup.answer
  io.retry := cache.io.retry
  io.hit := cache.io.lookup.hit
  io.miss := cache.io.lookup.miss

  private val access = cache.io.access.bits
  private val versions = VecInit((0 until perLine).map(i => access.data(bits * (i + 1) - 1, bits * i)))
  io.access.valid := cache.io.access.valid
  io.access.bits := access.payload
  io.old := versions(access.payload.index)
  io.line := access.data
  private val puts = access.payload.use === VersionUse.exchange || access.payload.use === VersionUse.put
  cache.io.update.valid := cache.io.access.valid && puts
  cache.io.update.bits := VecInit(versions.zipWithIndex.map { case (s, i) =>
    Mux(access.payload.index === i.U, io.fresh, s)
  }).asUInt
  touched.io.mark.valid := cache.io.update.valid
  touched.io.mark.bits := access.line

  cache.io.pinned.valid := false.B
  cache.io.pinned.bits := 0.U
  cache.io.flush := io.flush
  io.flushing := cache.io.flushing
  io.memory <> cache.io.memory
  io.refused := cache.io.refused
  io.faulty := cache.io.faulty
  io.busy := cache.io.busy || guard.io.busy || !touched.io.cleared
}

/** Widths of a version, and of the number of a version line. */
object VersionStore {
  val versionBits = 32

  /** Width of the number of a version line. */
  def lineBits(p: Geometry): Int = math.max(1, log2Ceil(p.layout.versionLines.toInt))
}
