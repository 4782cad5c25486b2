package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryJoin
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot}
import hauberk.memory.cache.LineCache
import hauberk.memory.tree.CounterGuard

/** The store of [[SplitCounters]]. A counter that is cached is answered two cycles later. Counters that are read are given out as soon as the
  * guard releases their line; fresh ones, when it is verified.
  *
  * One page is re-encrypted at a time; a write that would turn another is put aside until that is done ([[DeferredWrites]]). A write of a
  * block that the page under way still waits for never turns a page, and is never put aside: so re-encryption waits for nothing that waits
  * for it, as long as the transactions that carry it out do not.
  *
  * Fails closed: when a line is found false, memory refuses metadata or a block to re-encrypt, or the last major counter is used up, every
  * look-up is denied from then on.
  */
class SplitCounterStore(p: Geometry, s: SplitCounters) extends CounterStore(p) {
  private val lineBits = math.max(1, log2Ceil(p.layout.counterLines))
  private val mshrs = s.cache.mshrs
  private val guardIds = p.counterIds + s.cache.ids
  private val cache = Module(
    new LineCache(p, s.cache, p.layout.counterBase, lineBits, new SplitLookup(p.entryBits), p.counterIds)
  )
  private val guard = Module(new CounterGuard(p, mshrs, guardIds))
  private val page = Module(new PageReencryption(p, lineBits))
  guard.io.cache <> cache.io.guard
  for ((port, user) <- io.cipher.zip(guard.io.cipher)) { port <> user }
  guard.io.hashKeys := io.hashKeys
  MemoryJoin(io.memory, Seq((guard.io.memory, guardIds), (cache.io.memory, p.counterIds)))

  private val wasBroken = RegInit(false.B)
  private val exhausted = Wire(Bool())
  private val broken = wasBroken || guard.io.failed || cache.io.refused || page.io.stuck || exhausted
  wasBroken := broken

  // Look-up, of a write that was put aside or of the transaction at hand
  private val lookup = io.lookup
  private val deferred = Module(new DeferredWrites(p, lineBits))
  private val again = deferred.io.again
  private val replays = again.valid && !wasBroken
  private val block = Mux(replays, again.bits.block, lookup.block)
  cache.io.lookup.valid := !wasBroken && (replays || lookup.valid)
  cache.io.lookup.line := SplitLine.pageOf(block)
  cache.io.lookup.payload.write := replays || lookup.write
  cache.io.lookup.payload.word := SplitLine.wordOf(block)
  cache.io.lookup.payload.entry := Mux(replays, again.bits.entry, lookup.entry)
  private val denials = Module(new Queue(UInt(p.entryBits.W), 1))
  denials.io.enq.valid := lookup.valid && wasBroken
  denials.io.enq.bits := lookup.entry
  private val cacheAnswer = cache.io.lookup.answer
  lookup.answer.accepted :=
    Mux(wasBroken, lookup.valid && denials.io.enq.ready, !replays && cacheAnswer.accepted)
  lookup.answer.blocked := !wasBroken && !replays && cacheAnswer.blocked
  io.hit := !replays && cache.io.lookup.hit
  io.miss := !replays && cache.io.lookup.miss
  io.retry := cache.io.retry || broken

  // Access
  private val access = cache.io.access
  private val asked = access.bits.payload
  private val major = SplitLine.major(access.bits.data)
  private val minor = SplitLine.minors(access.bits.data)(asked.word)
  private val isOld = page.io.active && page.io.line === access.bits.line && !page.io.isDone(asked.word)
  private val isFull = access.valid && asked.write && !isOld && minor.andR
  private val defers = isFull && page.io.active && !broken
  private val turns = isFull && !page.io.active && !broken
  exhausted := isFull && !page.io.active && major.andR && !wasBroken
  private val freshMajor = Mux(isFull, major + 1.U, major)
  private val freshMinor = Mux(isFull || isOld, 0.U, minor + 1.U)
  cache.io.update.valid := access.valid && asked.write && !defers && !broken
  cache.io.update.bits := SplitLine.updated(access.bits.data, freshMajor, asked.word, freshMinor)
  deferred.io.put.valid := defers
  deferred.io.put.bits.entry := asked.entry
  deferred.io.put.bits.block := Cat(access.bits.line, asked.word)
  deferred.io.active := page.io.active
  deferred.io.line := page.io.line
  deferred.io.isDone := page.io.isDone
  deferred.io.all := wasBroken

  // Re-encryption
  page.io.start.valid := turns
  page.io.start.bits := access.bits.line
  page.io.done.valid := turns || (access.valid && asked.write && isOld && !broken)
  page.io.done.bits := asked.word
  page.io.reencrypted := io.reencrypted
  io.reencrypt.valid := page.io.reencrypt.valid && !wasBroken
  io.reencrypt.bits := page.io.reencrypt.bits
  page.io.reencrypt.ready := io.reencrypt.ready && !wasBroken
  cache.io.pinned.valid := page.io.active
  cache.io.pinned.bits := page.io.line

  // Results: of the access, else of waiting look-ups
  private val found = Wire(new CounterResult(p))
  found.entry := asked.entry
  found.counter := Mux(
    asked.write,
    Cat(freshMajor, freshMinor),
    Cat(Mux(isOld, major - 1.U, major), minor)
  )
  found.key := Mux(found.counter === 0.U, KeySlot.static.U, KeySlot.dynamic.U)
  found.direct := false.B
  found.denied := broken
  private val held = Module(new HeldResults(p, mshrs))
  private val holds = access.valid && asked.write && !broken && !defers && guard.io.pending.orR
  held.io.put.valid := holds
  held.io.put.bits := found
  held.io.pending := guard.io.pending
  private val answers = access.valid && !defers && !holds
  private val result = Wire(Valid(new CounterResult(p)))
  held.io.result.ready := !answers
  denials.io.deq.ready := !answers && !held.io.result.valid
  private val answersDeferred = !answers && !held.io.result.valid && !denials.io.deq.valid && wasBroken
  again.ready := Mux(wasBroken, answersDeferred, cacheAnswer.accepted)
  result.valid := answers || held.io.result.valid || denials.io.deq.valid || (again.valid && wasBroken)
  result.bits := found
  when(!answers) {
    result.bits := held.io.result.bits
    result.bits.denied := broken
    when(!held.io.result.valid) {
      result.bits.entry := Mux(denials.io.deq.valid, denials.io.deq.bits, again.bits.entry)
    }
  }
  // With what it rests on, a cycle later: what guards a line, the line, and its counters after their increment are path enough
  io.result.valid := RegNext(result.valid, false.B)
  io.result.bits := RegNext(result.bits)
  io.pending := RegNext(guard.io.pending, 0.U)
  io.failed := RegNext(guard.io.failed, false.B)

  // Flush: lines, then nodes. Which blocks are under the new major counter stands on chip alone, so the page is finished first
  private val idle :: flushPage :: flushLines :: flushNodes :: Nil = Enum(4)
  private val state = RegInit(idle)
  private val wanted = RegInit(false.B)
  private val pageIsOver = state === flushPage && (!page.io.active || wasBroken)
  private val started = RegNext(pageIsOver, false.B)
  private val linesAreOut = state === flushLines && !started && !cache.io.flushing
  private val startedNodes = RegNext(linesAreOut, false.B)
  cache.io.flush := pageIsOver
  guard.io.flush := linesAreOut
  when(state === idle && wanted) {
    state := flushPage
    wanted := false.B
  }
  when(pageIsOver) { state := flushLines }
  when(linesAreOut) { state := flushNodes }
  when(state === flushNodes && !startedNodes && !guard.io.flushing) { state := idle }
  when(io.flush) { wanted := true.B }
  io.flushing := wanted || state =/= idle

  io.alarm := guard.io.alarm.cause
  io.alarmAddress := guard.io.alarm.address
  when(exhausted) {
    io.alarm := AlarmCause.counterOverflow.U
    io.alarmAddress := Cat(access.bits.line, asked.word) << p.core.blockOffsetBits
  }
  when(cache.io.refused || page.io.stuck) {
    io.alarm := AlarmCause.ofStore(cache.io.faulty)
    io.alarmAddress := Mux(
      cache.io.refused,
      p.layout.counterBase.U,
      page.io.line << (p.memory.blockOffsetBits + SplitLine.wordBits)
    )
  }
  io.unverified := cache.io.unsettled.orR || held.io.busy
  io.busy := cache.io.busy || guard.io.busy || page.io.active || deferred.io.busy || held.io.busy || denials.io.deq.valid ||
    result.valid || io.result.valid || io.flushing
  io.nodeHit := guard.io.nodeHit
  io.nodeMiss := guard.io.nodeMiss
  neverRekeys()
}
