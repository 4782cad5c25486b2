package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.memory.port.{MemoryJoin, MemoryPort}
import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.{AlarmCause, Geometry, MetadataCacheParams}
import hauberk.memory.cipher.CipherPort

/** Ports of a [[CounterTree]].
  *
  * @param entryBits width of the identifier of the leaves' look-ups
  */
class CounterTreeIO(val p: Geometry, val shape: TreeShape, val entryBits: Int) extends Bundle {
  val leaves = new LineCounterPort(shape.leafBits, entryBits, shape.fetches)

  /** One for each level, the one next to the leaves first. */
  val cipher = Vec(shape.levels, new CipherPort(p))
  val hashKey = Input(UInt(64.W))
  val memory = new MemoryPort(p.memory)
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val alarm = Output(new AlarmPort(p.memory.addressBits))

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())

  /** Look-ups of nodes, one counted a cycle. */
  val nodeHit = Output(Bool())
  val nodeMiss = Output(Bool())
}

/** Sizes of a counter tree: nodes in memory as [[MetadataLayout]] has them, and their caches.
  *
  * @param nodes cache of each level
  */
case class TreeShape(layout: MetadataLayout, nodes: MetadataCacheParams) {
  val levels: Int = layout.levels.size

  /** Width of the number of a leaf. */
  val leafBits: Int = math.max(1, log2Ceil(layout.leafLines))

  /** Lines the level above the leaves may be fetching. */
  val fetches: Int = fetchesOf(1)

  /** Of level 1, 2, ...; the root fetches nothing. */
  def fetchesOf(level: Int): Int = if (level <= levels) nodes.mshrs else 0

  /** Width of the number of a line of level 0 (the leaves), 1, ... */
  def lineBits(level: Int): Int = (0 until level).foldLeft(leafBits)((bits, _) => LineCounters.parentBits(bits))

  /** Identifiers on the memory side: of each level its fetches, and those of write-backs. */
  val idsPerLevel: Int = nodes.ids
  val memoryIds: Int = levels * idsPerLevel
}

/** Counters of lines that memory cannot roll back: levels of nodes in memory, each node guarded by a counter of the level above, and the
  * last by the root on chip. Replay of any line, at any level, fails at the line itself, since its parent's counter has gone on.
  *
  * Nothing here waits for anything below it. A level answers its child when its own cache does; its cache is held up only by its guard (a
  * verdict, or a seal it waits for), by memory and by the cipher; its guard waits only for the level above; and the root never waits.
  * Memory's answers are always taken, because a guard has room for a line of every miss. So by induction from the root down every look-up
  * is answered, and there is no deadlock, however few lines the caches have.
  *
  * A flush writes the children back before their parents, because a write-back takes a fresh counter from the parent. When it is over, and
  * nothing was written meanwhile, memory verifies from the root.
  *
  * @param entryBits width of the identifier of the leaves' look-ups
  * @param firstId   the first of `shape.memoryIds` identifiers
  */
class CounterTree(p: Geometry, shape: TreeShape, entryBits: Int, firstId: Int) extends Module {
  val io = IO(new CounterTreeIO(p, shape, entryBits))
  private val nodeEntries = LineMacGuard.entryBits(shape.nodes.mshrs)
  private def entriesBelow(level: Int): Int = if (level == 1) entryBits else nodeEntries
  private def idsOf(level: Int): Int = firstId + (level - 1) * shape.idsPerLevel

  private val levels = (1 to shape.levels).map { k =>
    Module(
      new CounterLevel(p, k, shape.nodes, shape.lineBits(k - 1), entriesBelow(k), shape.fetchesOf(k + 1), idsOf(k))
    )
  }
  private val root = Module(
    new RootTable(
      p.layout.rootLines.toInt,
      shape.lineBits(shape.levels),
      entriesBelow(shape.levels + 1),
      p.faults.words
    )
  )
  private val answering = levels.map(_.io.children) :+ root.io.children
  answering.head <> io.leaves
  for ((level, above) <- levels.zip(answering.tail)) { above <> level.io.parent }
  for ((level, port) <- levels.zip(io.cipher)) {
    port <> level.io.cipher
    level.io.hashKey := io.hashKey
  }

  // The level farthest from the leaves first: lower levels rest on it
  if (levels.isEmpty) {
    io.memory.idle()
  } else {
    MemoryJoin(io.memory, levels.zipWithIndex.map { case (level, i) => (level.io.memory, idsOf(i + 1)) }.reverse)
  }

  // A root right above the leaves has nothing to write back
  io.flushing := LevelFlush(io.flush, levels.map(level => LevelFlush.Level(level.io.flush, level.io.flushing)))

  io.alarm.cause := Mux(root.io.overflow, AlarmCause.counterOverflow.U, AlarmCause.none.U)
  when(root.io.faulty) { io.alarm.cause := AlarmCause.chipFault.U }
  io.alarm.address := p.layout.levels.lastOption.map(_.base).getOrElse(p.layout.leafBase).U
  for (level <- levels) { when(level.io.alarm.cause =/= AlarmCause.none.U) { io.alarm := level.io.alarm } }

  // Several levels may look up in a cycle; excess events are counted in later cycles
  private def spread(events: Seq[Bool]): (Bool, Bool) =
    if (events.isEmpty) (false.B, false.B)
    else {
      val owed = RegInit(0.U(32.W))
      val now = owed + PopCount(events)
      owed := Mux(now === 0.U, 0.U, now - 1.U)
      (now =/= 0.U, owed =/= 0.U)
    }
  private val (hit, owesHits) = spread(levels.map(_.io.hit))
  private val (miss, owesMisses) = spread(levels.map(_.io.miss))
  io.nodeHit := hit
  io.nodeMiss := miss
  io.busy := levels.map(_.io.busy).foldLeft(root.io.busy || owesHits || owesMisses)(_ || _)
}
