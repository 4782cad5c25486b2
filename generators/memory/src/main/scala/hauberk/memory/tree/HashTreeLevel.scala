package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.memory.common.{Geometry, MetadataCacheParams}
import hauberk.memory.cipher.{LineHash, LineHashJob, LineHasher}
import hauberk.memory.cache.{GuardedStoreIO, LineCache}

/** Payload that a look-up of a node carries to its access. */
class NodeAccess(val indexBits: Int, val tagBits: Int) extends Bundle {
  val write = Bool()
  val index = UInt(indexBits.W)
  val hash = UInt(LineHasher.hashBits.W)
  val tag = UInt(tagBits.W)
}

/** A level of nodes of a hash tree: a cache of its lines, and their guard. Holds the hashes of the lines of the level below, and has its own
  * in the level above; depends on that only.
  *
  * @param level        1 for the nodes that hold the hashes of tag lines
  * @param c            geometry of the cache of nodes
  * @param firstId      first of `c.ids` identifiers on the memory side
  * @param childLineBits, childTagBits widths of the requests from below
  */
class HashTreeLevel(
    val p: Geometry,
    level: Int,
    c: MetadataCacheParams,
    firstId: Int,
    childLineBits: Int,
    childTagBits: Int
) extends Module {
  private val where = p.layout.levels(level - 1)
  private val arity = p.layout.shape.arity
  private val indexBits = log2Ceil(arity)
  private val lineBits = HashTreeLevel.lineBits(p, level)
  private val missBits = math.max(1, log2Ceil(c.mshrs))
  val io = IO(new GuardedStoreIO(p) {
    val child = Flipped(new HashEntryPort(childLineBits, childTagBits))
    val parent = new HashEntryPort(lineBits, missBits)
    val job = Decoupled(new LineHashJob(p, missBits + 1))
    val hash = Flipped(Valid(new LineHash(missBits + 1)))
    val keys = Input(new TreeKeys)
    val usesPreviousKey = Output(Bool())
  })
  private val cache =
    Module(new LineCache(p, c, where.base, lineBits, new NodeAccess(indexBits, childTagBits), firstId))
  private val guard = Module(new HashGuard(p, level, c.mshrs, lineBits))
  guard.io.cache <> cache.io.guard
  guard.io.imageBlocks := 0.U
  guard.io.keys := io.keys
  io.usesPreviousKey := guard.io.usesPreviousKey
  io.parent <> guard.io.parent
  io.job <> guard.io.job
  guard.io.hash := io.hash

  private val request = io.child.request
  cache.io.lookup.valid := request.valid
  cache.io.lookup.line := (request.bits.line >> indexBits) + 0.U(lineBits.W)
  cache.io.lookup.payload.write := request.bits.write
  cache.io.lookup.payload.index := request.bits.line + 0.U(indexBits.W)
  cache.io.lookup.payload.hash := request.bits.hash
  cache.io.lookup.payload.tag := request.bits.tag
  request.ready := cache.io.lookup.answer.accepted
  private val again = RegInit(false.B) // the same look-up as in the cycle before
  again := request.valid && !request.ready
  io.hit := cache.io.lookup.hit && !again
  io.miss := cache.io.lookup.miss && !again

  private val access = cache.io.access.bits
  private val entries = VecInit((0 until arity).map(i => access.data(64 * i + 63, 64 * i)))
  io.child.entry.valid := cache.io.access.valid && !access.payload.write
  io.child.entry.bits.tag := access.payload.tag
  io.child.entry.bits.hash := entries(access.payload.index)
  cache.io.update.valid := cache.io.access.valid && access.payload.write
  cache.io.update.bits := VecInit(entries.zipWithIndex.map { case (e, i) =>
    Mux(access.payload.index === i.U, access.payload.hash, e)
  }).asUInt

  cache.io.pinned.valid := false.B
  cache.io.pinned.bits := 0.U
  io.connect(cache, where.base)
  io.busy := cache.io.busy || guard.io.busy
}

/** Widths of line numbers, level by level. */
object HashTreeLevel {

  /** Width of the number of a line of a level of nodes, or at level 0 of a tag line. */
  def lineBits(p: Geometry, level: Int): Int = {
    val lines = if (level == 0) p.layout.tagLines else p.layout.levels(level - 1).lines
    math.max(1, log2Ceil(lines.toInt))
  }
}
