package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.common.{Geometry, MetadataCacheParams}
import hauberk.memory.cache.{GuardedStoreIO, LineCache, LineGuardPort, LookupAnswer}

/** An access to the tag of a block. */
class TagAccess(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)

  /** Returned with the tag, so that a later user of the entry does not take it for its own. */
  val turn = Bool()
  val write = Bool()
  val block = UInt(p.core.blockIndexBits.W)

  /** The tag to record. */
  val tag = UInt(TagStore.tagBits.W)
}

/** The tag that was asked for. */
class StoredTag(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val turn = Bool()
  val tag = UInt(TagStore.tagBits.W)
}

/** Tags of 64 bits, one a block at `tagBase + 8 * block`, in front of untrusted memory. A look-up that hits is answered in the next cycle,
  * one that misses when the guard releases the line. A write that is accepted is recorded for every look-up accepted after it.
  *
  * @param c       geometry of the cache of tag lines
  * @param firstId first of `c.ids` identifiers on the memory side
  */
class TagStore(val p: Geometry, c: MetadataCacheParams, firstId: Int) extends Module {
  private val perLine = p.layout.shape.tagsPerLine
  private val indexBits = log2Ceil(perLine)
  private val lineBits = TagStore.lineBits(p)
  val io = IO(new GuardedStoreIO(p) {
    val lookup = new Bundle {
      val valid = Input(Bool())
      val bits = Input(new TagAccess(p))
      val answer = Output(new LookupAnswer)
    }
    val tag = Valid(new StoredTag(p))
    val retry = Output(Bool())
    val guard = new LineGuardPort(p, c.mshrs, lineBits)
  })
  private val cache = Module(new LineCache(p, c, p.layout.tagBase, lineBits, new TagAccess(p), firstId))
  cache.io.lookup.valid := io.lookup.valid
  cache.io.lookup.line := (io.lookup.bits.block >> indexBits) + 0.U(lineBits.W)
  cache.io.lookup.payload := io.lookup.bits
  io.lookup.answer := cache.io.lookup.answer
  io.hit := cache.io.lookup.hit
  io.miss := cache.io.lookup.miss
  io.retry := cache.io.retry

  private val access = cache.io.access.bits
  private val index = access.payload.block(indexBits - 1, 0)
  private val words = VecInit((0 until perLine).map(i => access.data(64 * i + 63, 64 * i)))
  io.tag.valid := cache.io.access.valid && !access.payload.write
  io.tag.bits.entry := access.payload.entry
  io.tag.bits.turn := access.payload.turn
  io.tag.bits.tag := words(index)
  cache.io.update.valid := cache.io.access.valid && access.payload.write
  cache.io.update.bits := VecInit(words.zipWithIndex.map { case (w, i) =>
    Mux(index === i.U, access.payload.tag, w)
  }).asUInt

  cache.io.pinned.valid := false.B
  cache.io.pinned.bits := 0.U
  io.guard <> cache.io.guard
  io.connect(cache, p.layout.tagBase)
}

/** Widths of a tag, and of the number of a tag line. */
object TagStore {

  /** Width of a tag. */
  val tagBits = 64

  /** Width of the number of a tag line. */
  def lineBits(p: Geometry): Int = math.max(1, log2Ceil(p.layout.tagLines.toInt))
}
