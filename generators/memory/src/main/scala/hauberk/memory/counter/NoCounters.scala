package hauberk.memory.counter

import chisel3._
import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot, MetadataCacheParams}

/** No counter for any block: the scheme XTS. Nothing is kept in memory, nothing is fresh, everything is under the static key. */
case object NoCounters extends CounterStoreParams {
  val name = "no counters"
  val counterBits = 1
  override val lineFormat = "none"
  def countersPerLine(blockBytes: Int): Int = 0
  override val isFresh = false
  val reencrypts, trustsMemory, leavesRoomForMac = false
  override def needsInitialisation(guarded: Boolean): Boolean = false
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int = 0
}

/** Answers every look-up in the next cycle: no counter, directly, static key. */
class NoCounterStore(p: Geometry) extends CounterStore(p) {
  io.lookup.answer.accepted := io.lookup.valid
  io.lookup.answer.blocked := false.B
  io.result.valid := RegNext(io.lookup.valid, false.B)
  io.result.bits.entry := RegNext(io.lookup.entry)
  io.result.bits.counter := 0.U
  io.result.bits.key := KeySlot.static.U
  io.result.bits.direct := true.B
  io.result.bits.denied := false.B
  io.hit := io.lookup.valid
  io.miss := false.B
  io.retry := false.B
  io.flushing := false.B
  io.busy := io.result.valid
  io.alarm := AlarmCause.none.U
  io.alarmAddress := 0.U

  io.memory.idle()
  neverReencrypts()
  nothingGuards()
}
