package hauberk.memory.tree

import chisel3._
import hauberk.memory.port.MemoryPort
import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot, MetadataCacheParams}
import hauberk.memory.cipher.{CipherPort, HashKeys}
import hauberk.memory.cache.{LineGuard, LineGuardIO}

/** Ports of a [[CounterGuard]]. */
class CounterGuardIO(p: Geometry, mshrs: Int, lineBits: Int, val shape: TreeShape)
    extends LineGuardIO(p, mshrs, lineBits) {
  val cipher = Vec(shape.levels + 1, new CipherPort(p))
  val hashKeys = Input(Vec(KeySlot.count, new HashKeys))

  /** Traffic of the tree's nodes. */
  val memory = new MemoryPort(p.memory)

  /** Write all nodes back; to be given when the lines that are guarded are. */
  val flush = Input(Bool())
  val flushing = Output(Bool())

  /** As in [[LineCounterPort]], of the lines that are guarded: what is derived from such a line must not leave the engine before each bit
    * that was set when it was accessed has been clear once, and `failed` is clear in the cycle after.
    */
  val pending = Output(UInt(mshrs.W))

  /** Verification of a counter line or node failed, or a counter is exhausted: deny everything, from this cycle on. */
  val failed = Output(Bool())
  val alarm = Output(new AlarmPort(p.memory.addressBits))
  val nodeHit = Output(Bool())
  val nodeMiss = Output(Bool())
}

/** Guard of the counter lines of every [[CounterStore]] under [[BonsaiTree]]: a MAC in each line, and a tree of counters above them. The
  * lines keep bytes 56 to 63 for it. The MACs are under [[KeySlot.dynamic]], which must stay for as long as the lines are in use.
  *
  * @param mshrs  fetches of the cache of counter lines
  * @param firstId the first of its `CounterGuard.memoryIds` identifiers
  */
class CounterGuard(p: Geometry, mshrs: Int, firstId: Int) extends LineGuard(p) {
  private val shape = CounterGuard.shape(p)
  private val entryBits = LineMacGuard.entryBits(mshrs)
  val io = IO(new CounterGuardIO(p, mshrs, shape.leafBits, shape))
  private val lines = Module(new LineMacGuard(p, 0, mshrs, shape.leafBits, shape.fetches))
  private val tree = Module(new CounterTree(p, shape, entryBits, firstId))
  private val key = io.hashKeys(KeySlot.dynamic).first
  lines.io.cache <> io.cache
  lines.io.hashKey := key
  tree.io.hashKey := key
  tree.io.leaves <> lines.io.counters
  io.memory <> tree.io.memory
  // The level farthest from the leaves first: lower levels rest on it
  for ((port, level) <- io.cipher.zip(tree.io.cipher.reverse :+ lines.io.cipher)) { port <> level }

  tree.io.flush := io.flush
  io.flushing := tree.io.flushing
  io.pending := lines.io.pending
  io.busy := lines.io.busy || tree.io.busy
  io.failed := lines.io.failed || tree.io.leaves.failed
  io.nodeHit := tree.io.nodeHit
  io.nodeMiss := tree.io.nodeMiss

  io.alarm := tree.io.alarm
  when(tree.io.alarm.cause === AlarmCause.none.U && lines.io.mismatch.valid) {
    io.alarm.cause := AlarmCause.metadataMismatch.U
    io.alarm.address := p.layout.leafBase.U(p.memory.addressBits.W) +
      (lines.io.mismatch.bits << p.memory.blockOffsetBits)
  }
}

/** A counter store's provisions for its guard: shape, identifiers, ports to the cipher. */
object CounterGuard {
  private[memory] def shape(p: Geometry): TreeShape = {
    require(p.guardsCounters, "a counter tree cannot be built under this integrity policy: choose BonsaiTree")
    TreeShape(p.layout, p.counterTree.get)
  }

  /** Identifiers on the memory side, and ports to the cipher, that a counter store needs for its guard.
    *
    * @param tree cache of the nodes of each level of the counter tree; without a tree nothing is needed
    */
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    tree.fold(0)(TreeShape(layout, _).memoryIds)
  def cipherPorts(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    tree.fold(0)(TreeShape(layout, _).levels + 1)
}
