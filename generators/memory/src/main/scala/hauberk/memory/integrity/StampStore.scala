package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{Geometry, MetadataCacheParams}
import hauberk.memory.cache.{LineCache, LineGuard, LineGuardIO, LookupAnswer}

/** What an access does to the stamp of a block. */
object StampUse {
  val width = 3

  /** Brings the line into the cache. */
  val prefetch = 0

  /** A read: the old stamp is taken, a new one put. */
  val exchange = 1

  /** The stamp is taken; a write puts a new one. */
  val take = 2
  val put = 3

  /** The whole line is looked at. */
  val look = 4
}

/** A look-up of a stamp. */
class StampAccess(val p: Geometry) extends Bundle {
  val use = UInt(StampUse.width.W)
  val entry = UInt(p.entryBits.W)

  /** Place in the line. */
  val index = UInt(log2Ceil(p.layout.shape.stampsPerLine).W)
}

/** Ports of a [[StampGuard]]. */
class StampGuardIO(p: Geometry, misses: Int, lineBits: Int) extends LineGuardIO(p, misses, lineBits) {
  val ask = Valid(UInt(lineBits.W))
  val written = Input(Bool())
}

/** A stamp line that was never written is all zero, whatever memory holds: so stamps need no initialisation. What was written, the log itself
  * verifies.
  */
class StampGuard(p: Geometry, misses: Int, lineBits: Int) extends LineGuard(p) {
  val io = IO(new StampGuardIO(p, misses, lineBits))
  private val cache = io.cache
  private val written = RegInit(VecInit(Seq.fill(misses)(false.B)))
  io.ask.valid := cache.opened.valid
  io.ask.bits := cache.opened.bits.line
  private val answers = RegNext(cache.opened.valid, false.B)
  when(answers) { written(RegNext(cache.opened.bits.miss)) := io.written }

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

/** Ports of a [[StampStore]]. */
class StampStoreIO(val p: Geometry) extends Bundle {
  private val lineBits = StampStore.lineBits(p)
  val lookup = new Bundle {
    val valid = Input(Bool())
    val line = Input(UInt(lineBits.W))
    val bits = Input(new StampAccess(p))
    val answer = Output(new LookupAnswer)
  }

  /** An access takes place: the stamp that stands there, and the line. */
  val access = Valid(new StampAccess(p))
  val old = Output(UInt(StampStore.stampBits.W))
  val line = Output(UInt((p.bank.blockBytes * 8).W))

  /** Replaces the stamp, in the same cycle, if `use` puts one. */
  val fresh = Input(UInt(StampStore.stampBits.W))
  val retry = Output(Bool())

  /** Reads of the bits of lines that were ever written ([[TouchedLines]]). */
  val scan = Flipped(Decoupled(UInt(TouchedLines.wordBits(p.layout.stampLines.toInt).W)))
  val word = Output(UInt(TouchedLines.perWord.W))
  val memory = new MemoryPort(p.memory)
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val refused = Output(Bool())
  val hit = Output(Bool())
  val miss = Output(Bool())
}

/** The log's stamps, 32 bits a block at `stampBase + 4 * block`, in front of untrusted memory.
  *
  * @param c       geometry of the cache of stamp lines
  * @param firstId first of `c.ids` identifiers on the memory side
  */
class StampStore(p: Geometry, c: MetadataCacheParams, firstId: Int) extends Module {
  private val perLine = p.layout.shape.stampsPerLine
  private val lineBits = StampStore.lineBits(p)
  private val bits = StampStore.stampBits
  val io = IO(new StampStoreIO(p))
  private val cache = Module(new LineCache(p, c, p.layout.stampBase, lineBits, new StampAccess(p), firstId))
  private val guard = Module(new StampGuard(p, c.misses, lineBits))
  private val touched = Module(new TouchedLines(p.layout.stampLines.toInt, lineBits))
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
  private val stamps = VecInit((0 until perLine).map(i => access.data(bits * (i + 1) - 1, bits * i)))
  io.access.valid := cache.io.access.valid
  io.access.bits := access.payload
  io.old := stamps(access.payload.index)
  io.line := access.data
  private val puts = access.payload.use === StampUse.exchange.U || access.payload.use === StampUse.put.U
  cache.io.update.valid := cache.io.access.valid && puts
  cache.io.update.bits := VecInit(stamps.zipWithIndex.map { case (s, i) =>
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
}

/** Widths of a stamp, and of the number of a stamp line. */
object StampStore {
  val stampBits = 32

  /** Width of the number of a stamp line. */
  def lineBits(p: Geometry): Int = math.max(1, log2Ceil(p.layout.stampLines.toInt))
}
