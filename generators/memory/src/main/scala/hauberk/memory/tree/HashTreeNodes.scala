package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryJoin
import hauberk.memory.common.{Geometry, KeySlot, MetadataCacheParams}
import hauberk.memory.cipher.{CipherPort, HashKeys, LineHasher}
import hauberk.memory.cache.{GuardedStoreIO, LineGuardPort}

/** Everything of a hash tree above its cached tag lines: their guard, the levels of nodes in memory, the root on chip, and the one hasher
  * they share. A level requests only from the level above, and the hasher requests nothing, so there is no cyclic wait.
  *
  * @param tags    cache of the tag lines below
  * @param c       cache of each level of nodes
  * @param firstId first of `levels * c.ids` identifiers on the memory side
  */
class HashTreeNodes(val p: Geometry, tags: MetadataCacheParams, c: MetadataCacheParams, firstId: Int) extends Module {
  private val levels = p.layout.levels.size
  private val leafBits = HashTreeLevel.lineBits(p, 0)
  private val missBits = math.max(1, log2Ceil(c.mshrs))
  private val leafMissBits = math.max(1, log2Ceil(tags.mshrs))
  private val tagBits = math.max(missBits, leafMissBits) + 1
  val io = IO(new GuardedStoreIO(p) {

    /** Guards the tag lines. */
    val leaves = Flipped(new LineGuardPort(p, tags.mshrs, leafBits))
    val cipher = new CipherPort(p)
    val hashKeys = Input(Vec(KeySlot.count, new HashKeys))
    val keys = Input(new TreeKeys)

    /** A line of any level is being tried under the previous key. */
    val usesPreviousKey = Output(Bool())
    val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
  })
  private val guard = Module(new HashGuard(p, 0, tags.mshrs, leafBits))
  private val lineBits = leafBits +: (1 to levels).map(HashTreeLevel.lineBits(p, _))
  private val nodes = (1 to levels).map { level =>
    val childTagBits = if (level == 1) leafMissBits else missBits
    val id = firstId + (level - 1) * c.ids
    Module(new HashTreeLevel(p, level, c, id, lineBits(level - 1), childTagBits))
  }
  private val root =
    Module(new HashRoot(
      p.layout.rootLines.toInt,
      lineBits.last,
      if (levels == 0) leafMissBits else missBits,
      p.faults.words
    ))
  private val hasher = Module(new LineHasher(p, levels + 1, tagBits))

  guard.io.cache <> io.leaves
  guard.io.imageBlocks := io.imageBlocks
  guard.io.keys := io.keys
  nodes.foreach(_.io.keys := io.keys)
  private val parents = guard.io.parent +: nodes.map(_.io.parent)
  for ((parent, child) <- parents.zip(nodes.map(_.io.child) :+ root.io.port)) { child <> parent }

  hasher.io.hashKeys := io.hashKeys
  io.cipher <> hasher.io.cipher
  // Higher levels first: those below wait for them
  private val askers = ((guard.io.job, guard.io.hash) +: nodes.map(n => (n.io.job, n.io.hash))).reverse
  for (((job, hash), (jobs, hashes)) <- askers.zip(hasher.io.jobs.zip(hasher.io.hashes))) {
    jobs.valid := job.valid
    jobs.bits := job.bits
    job.ready := jobs.ready
    hash.valid := hashes.valid
    hash.bits := hashes.bits
  }

  if (levels == 0) {
    io.memory.idle()
  } else {
    MemoryJoin(
      io.memory,
      nodes.zipWithIndex.map { case (n, i) => (n.io.memory, firstId + i * c.ids) }
    )
  }

  // From the lowest level up: each leaves its hash one level higher
  io.flushing := LevelFlush(io.flush, nodes.map(node => LevelFlush.Level(node.io.flush, node.io.flushing)))

  private def any(flags: Seq[Bool]): Bool = flags.foldLeft(false.B)(_ || _)
  io.usesPreviousKey := guard.io.usesPreviousKey || any(nodes.map(_.io.usesPreviousKey))
  io.faulty := any(nodes.map(_.io.faulty)) || root.io.faulty
  io.refused := any(nodes.map(_.io.refused)) || root.io.faulty
  io.busy := guard.io.busy || any(nodes.map(_.io.busy)) || root.io.busy || hasher.io.busy
  io.failed.valid := any(nodes.map(_.io.failed.valid))
  io.failed.bits := (if (levels == 0) 0.U else PriorityMux(nodes.map(n => (n.io.failed.valid, n.io.failed.bits))))
  io.unverified := any(nodes.map(_.io.unverified))
  io.late := any(nodes.map(_.io.late))
  // A line may be settled by an entry of a node that is not: level after level, then
  io.fenced := nodes.foldLeft(io.fence) { (fence, node) =>
    node.io.fence := fence
    node.io.fenced
  }
  io.hit := any(nodes.map(_.io.hit))
  io.miss := any(nodes.map(_.io.miss))
}
