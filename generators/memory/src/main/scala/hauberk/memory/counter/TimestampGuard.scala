package hauberk.memory.counter

import chisel3._
import hauberk.memory.port.MemoryJoin
import hauberk.memory.common.{AlarmCause, Geometry, MetadataCacheParams}
import hauberk.memory.cache.{LineCache, NoGuard}
import hauberk.memory.tree.{AlarmPort, CounterGuard, LevelFlush}

/** Guard between the lines of a [[TimestampStore]] and memory: none, or a counter tree. Drives what of the store's ports concerns
  * memory, flushes and verification. Hardware is added to the module that makes it.
  */
private[memory] class TimestampGuard[T <: Data](p: Geometry, mshrs: Int, cache: LineCache[T], io: CounterStoreIO) {
  private val isGuarded = p.guardsCounters

  /** Verification of a line or node failed; deny everything, from this cycle on. */
  val failed: Bool = Wire(Bool())

  /** Of the tree, for one cycle. */
  val alarm: AlarmPort = Wire(new AlarmPort(p.memory.addressBits))

  /** As in [[CounterGuardIO]]. */
  val pending: UInt = Wire(UInt(mshrs.W))

  /** As in [[hauberk.memory.cache.LineGuardIO]]. */
  val busy: Bool = Wire(Bool())

  if (isGuarded) {
    val firstId = p.counterIds + mshrs + MetadataCacheParams.writebacks
    val guard = Module(new CounterGuard(p, mshrs, firstId))
    guard.io.cache <> cache.io.guard
    guard.io.hashKeys := io.hashKeys
    for ((port, user) <- io.cipher.zip(guard.io.cipher)) { port <> user }
    MemoryJoin(io.memory, Seq((guard.io.memory, firstId), (cache.io.memory, p.counterIds)))
    failed := guard.io.failed
    busy := guard.io.busy
    pending := guard.io.pending
    alarm := guard.io.alarm
    io.nodeHit := guard.io.nodeHit
    io.nodeMiss := guard.io.nodeMiss

    // Lines before nodes: a line that goes takes a fresh counter from its node
    io.flushing := LevelFlush(
      io.flush,
      Seq(LevelFlush.Level(cache.io.flush, cache.io.flushing), LevelFlush.Level(guard.io.flush, guard.io.flushing))
    )
  } else {
    val guard = Module(new NoGuard(p, mshrs, cache.lineIndexBits))
    guard.io.cache <> cache.io.guard
    io.memory <> cache.io.memory
    cache.io.flush := io.flush
    io.flushing := cache.io.flushing
    failed := false.B
    busy := guard.io.busy
    pending := 0.U
    alarm.cause := AlarmCause.none.U
    alarm.address := 0.U
    io.nodeHit := false.B
    io.nodeMiss := false.B
  }
}
