package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, Geometry, MetadataCacheParams}
import hauberk.memory.cipher.CipherPort
import hauberk.memory.cache.LineCache

/** Payload that a look-up of a counter carries through the cache of its node. */
class NodeLookup(val entryBits: Int) extends Bundle {
  val write = Bool()
  val place = UInt(log2Ceil(LineCounters.arity).W)
  val entry = UInt(entryBits.W)
}

/** An alarm: a cause of [[AlarmCause]] other than none, for one cycle, and where. */
class AlarmPort(val addressBits: Int) extends Bundle {
  val cause = UInt(AlarmCause.width.W)
  val address = UInt(addressBits.W)
}

/** Ports of a [[CounterLevel]].
  *
  * @param childBits    width of a child's line number
  * @param childEntries width of the identifier of the child's look-ups
  * @param mshrs       fetches of this level
  * @param lineBits     width of a line number of this level
  * @param above        fetches of the level above
  */
class CounterLevelIO(
    val p: Geometry,
    val childBits: Int,
    val childEntries: Int,
    val mshrs: Int,
    val lineBits: Int,
    val above: Int
) extends Bundle {
  val children = new LineCounterPort(childBits, childEntries, mshrs)
  val parent = Flipped(new LineCounterPort(lineBits, LineMacGuard.entryBits(mshrs), above))
  val cipher = new CipherPort(p)
  val hashKey = Input(UInt(64.W))
  val memory = new MemoryPort(p.memory)

  /** Write every dirty node back; they stay. */
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val alarm = Output(new AlarmPort(p.memory.addressBits))

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())
  val hit = Output(Bool())
  val miss = Output(Bool())
}

/** A level of nodes of a [[CounterTree]]: eight counters of 56 bits and a MAC a line, cached, each line guarded by a counter of the level
  * above. A cached counter is answered in the next cycle; one that is not, as soon as its node is there and the node's own counter, verified
  * or not: `children.pending` marks the verdicts on which the answer rests.
  *
  * A counter at its largest value, a node found false, or memory that refuses, breaks the level: it denies from then on.
  *
  * @param level 1 for the nodes next to the leaves
  * @param first identifier of the first fetch on the memory side
  */
class CounterLevel(
    p: Geometry,
    level: Int,
    c: MetadataCacheParams,
    childBits: Int,
    childEntries: Int,
    above: Int,
    first: Int
) extends Module {
  private val place = p.layout.levels(level - 1)
  private val lineBits = LineCounters.parentBits(childBits)
  val io = IO(new CounterLevelIO(p, childBits, childEntries, c.mshrs, lineBits, above))
  private val cache = Module(new LineCache(p, c, place.base, lineBits, new NodeLookup(childEntries), first))
  private val guard = Module(new LineMacGuard(p, level, c.mshrs, lineBits, above))
  guard.io.cache <> cache.io.guard
  io.parent <> guard.io.counters
  io.cipher <> guard.io.cipher
  guard.io.hashKey := io.hashKey
  io.memory <> cache.io.memory
  cache.io.flush := io.flush
  io.flushing := cache.io.flushing
  cache.io.pinned.valid := false.B
  cache.io.pinned.bits := 0.U

  // Broken is seen by a child not later than the bits of `pending` it waits for are clear
  private val broken = RegInit(false.B)
  private val overflow = Wire(Bool())
  when(guard.io.failed || cache.io.refused || overflow) { broken := true.B }

  private val lookup = io.children.lookup
  private val denials = Module(new Queue(UInt(childEntries.W), 1))
  cache.io.lookup.valid := lookup.valid && !broken
  cache.io.lookup.line := LineCounters.parent(lookup.line)
  cache.io.lookup.payload.write := lookup.write
  cache.io.lookup.payload.place := LineCounters.place(lookup.line)
  cache.io.lookup.payload.entry := lookup.entry
  denials.io.enq.valid := lookup.valid && broken
  denials.io.enq.bits := lookup.entry
  lookup.answer.accepted := Mux(broken, lookup.valid && denials.io.enq.ready, cache.io.lookup.answer.accepted)
  lookup.answer.blocked := cache.io.lookup.answer.blocked
  io.hit := cache.io.lookup.hit
  io.miss := cache.io.lookup.miss

  private val access = cache.io.access
  private val asked = access.bits.payload
  private val counters = LineCounters.counters(access.bits.data)
  private val fresh = counters(asked.place) + 1.U
  overflow := access.valid && asked.write && counters(asked.place).andR
  private val updated = VecInit((0 until LineCounters.arity).map(i => Mux(asked.place === i.U, fresh, counters(i))))
  cache.io.update.valid := access.valid && asked.write && !overflow && !broken
  cache.io.update.bits := Cat(LineCounters.mac(access.bits.data), updated.asUInt)

  private val result = io.children.result
  result.valid := access.valid || denials.io.deq.valid
  denials.io.deq.ready := !access.valid
  io.busy := cache.io.busy || guard.io.busy || denials.io.deq.valid
  result.bits.entry := Mux(access.valid, asked.entry, denials.io.deq.bits)
  result.bits.counter := Mux(asked.write, fresh, counters(asked.place))
  result.bits.denied := broken || overflow || cache.io.faulty
  io.children.retry := cache.io.retry || broken
  io.children.pending := guard.io.pending
  io.children.failed := broken

  private def addressOf(line: UInt): UInt = place.base.U(p.memory.addressBits.W) + (line << p.memory.blockOffsetBits)
  io.alarm.cause := AlarmCause.none.U
  io.alarm.address := addressOf(access.bits.line)
  when(guard.io.mismatch.valid) {
    io.alarm.cause := AlarmCause.metadataMismatch.U
    io.alarm.address := addressOf(guard.io.mismatch.bits)
  }
  when(overflow && !broken) {
    io.alarm.cause := AlarmCause.counterOverflow.U
    io.alarm.address := addressOf(access.bits.line)
  }
  when(cache.io.refused) {
    io.alarm.cause := AlarmCause.ofStore(cache.io.faulty)
    io.alarm.address := place.base.U
  }
}
