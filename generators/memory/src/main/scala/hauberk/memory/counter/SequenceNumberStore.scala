package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot, MetadataCacheParams}
import hauberk.memory.cache.LineCache

/** The SNC with replacement (Yang sections 4.1 and 4.2): a cache of lines of numbers behind a [[SpillGuard]]. A hit is answered in the next
  * cycle; a miss when the line is fetched and decrypted, while the block itself is on its way (algorithm 1).
  */
class SequenceNumberStore(p: Geometry, s: SequenceNumberCache) extends CounterStore(p) {
  private val blockBytes = p.bank.blockBytes
  private val stored = SequenceNumberCache.storedBits
  private val perLine = s.numbersPerLine(blockBytes)
  private val wordBits = log2Ceil(perLine)
  private val lineBits = math.max(1, p.core.blockIndexBits - wordBits)
  private val cached = s.sets(blockBytes) * s.ways
  private val geometry = MetadataCacheParams(cached, s.ways, math.min(s.mshrs, cached))
  private val payload = new NumberLookup(p, wordBits)
  private val lines = Module(new LineCache(p, geometry, p.layout.counterBase, lineBits, payload, p.counterIds))
  private val guard = Module(new SpillGuard(p, geometry.mshrs, lineBits))
  guard.io.cache <> lines.io.guard
  io.cipher(0) <> guard.io.cipher
  io.memory <> lines.io.memory

  lines.io.lookup.valid := io.lookup.valid
  lines.io.lookup.line := io.lookup.block >> wordBits
  lines.io.lookup.payload.entry := io.lookup.entry
  lines.io.lookup.payload.word := io.lookup.block(wordBits - 1, 0)
  lines.io.lookup.payload.write := io.lookup.write
  io.lookup.answer := lines.io.lookup.answer
  io.hit := lines.io.lookup.hit
  io.miss := lines.io.lookup.miss
  io.retry := lines.io.retry
  lines.io.pinned.valid := false.B
  lines.io.pinned.bits := 0.U

  // Fail closed: once broken, every look-up is answered, and denied
  private val timer = new WriteTimer(s.numberBits)
  private val broken = RegInit(false.B)
  private val access = lines.io.access
  private val word = access.bits.payload.word
  private val asksFresh = access.valid && access.bits.payload.write
  private val overflow = asksFresh && timer.exhausted && !broken
  private val denies = broken || lines.io.refused || overflow
  private val writes = asksFresh && !denies
  when(writes) { timer.advance() }
  when(lines.io.refused || overflow) { broken := true.B }

  private val numbers = VecInit((0 until perLine).map(i => access.bits.data(stored * (i + 1) - 1, stored * i)))
  private val updated = VecInit((0 until perLine).map(i => Mux(word === i.U, timer.next, numbers(i))))
  lines.io.update.valid := writes
  lines.io.update.bits := updated.asUInt

  io.result.valid := access.valid
  io.result.bits.entry := access.bits.payload.entry
  io.result.bits.counter := Mux(access.bits.payload.write, timer.next, numbers(word))
  io.result.bits.key := Mux(io.result.bits.counter === 0.U, KeySlot.static.U, KeySlot.dynamic.U)
  io.result.bits.direct := false.B
  io.result.bits.denied := denies

  lines.io.flush := io.flush
  io.busy := lines.io.busy || guard.io.busy
  io.flushing := lines.io.flushing
  io.alarm := Mux(
    overflow,
    AlarmCause.counterOverflow.U,
    Mux(lines.io.refused, AlarmCause.ofStore(lines.io.faulty), AlarmCause.none.U)
  )
  io.alarmAddress := Mux(
    overflow,
    Cat(access.bits.line, word) << p.core.blockOffsetBits,
    p.layout.counterBase.U
  )
  neverReencrypts()
  nothingGuards()
}
