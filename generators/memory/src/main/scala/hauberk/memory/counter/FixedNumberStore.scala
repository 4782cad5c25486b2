package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot, MetadataCacheParams}
import hauberk.memory.cache.{LineCache, NoGuard}

/** The SNC without replacement (Yang sections 4.1 and 4.2): blocks whose line has a place in a [[NumberTable]] have numbers, which never
  * leave the chip; the others are encrypted directly. Places are given at writes, first come, first served, so which of the two a block is
  * changes at most once, at its first write.
  *
  * A block without a number is still as the package brought it until it is written. One bit a block says so, in memory behind a small
  * cache, and in the clear, because an observer of the bus knows it anyway. Memory that lies about it has a block decrypted in the wrong
  * way, which yields nothing but noise.
  *
  * A look-up that finds its number is answered in the next cycle; any other when its line of bits is there.
  */
class FixedNumberStore(p: Geometry, s: SequenceNumberCache) extends CounterStore(p) {
  private val blockBytes = p.bank.blockBytes
  private val perLine = s.numbersPerLine(blockBytes)
  private val wordBits = log2Ceil(perLine)
  private val lineBits = math.max(1, p.core.blockIndexBits - wordBits)
  private val bitBits = log2Ceil(s.countersPerLine(blockBytes))
  private val bitLineBits = math.max(1, p.core.blockIndexBits - bitBits)
  private val block = io.lookup.block + 0.U((bitBits + bitLineBits).W)
  private val timer = new WriteTimer(s.numberBits)
  private val broken = RegInit(false.B)

  private val table = Module(new NumberTable(lineBits, s.sets(blockBytes), s.ways, perLine, s.numberBits))
  private val geometry =
    MetadataCacheParams(s.writtenLines, math.min(4, s.writtenLines), math.min(s.mshrs, s.writtenLines))
  private val bits =
    Module(new LineCache(p, geometry, p.layout.counterBase, bitLineBits, new NumberLookup(p, bitBits), p.counterIds))
  private val guard = Module(new NoGuard(p, geometry.mshrs, bitLineBits))
  guard.io.cache <> bits.io.guard
  io.memory <> bits.io.memory

  // One result a cycle. That of a number waits if a line of bits arrives at the same time, and then nothing follows it
  private val access = bits.io.access
  private val found = RegInit(false.B)
  private val held = RegInit(false.B)
  private val waits = (found || held) && access.valid
  held := waits
  private val looksUp = io.lookup.valid && table.io.emptied
  private val finds = looksUp && table.io.holds && !waits
  found := finds
  private val overflow = finds && io.lookup.write && timer.exhausted && !broken
  private val writes = finds && io.lookup.write && !timer.exhausted && !broken
  when(writes) { timer.advance() }
  table.io.valid := finds && (writes || !io.lookup.write)
  table.io.write := io.lookup.write
  table.io.line := block >> wordBits
  table.io.word := block(wordBits - 1, 0)
  table.io.fresh := timer.next

  bits.io.lookup.valid := looksUp && !table.io.holds
  bits.io.lookup.line := block >> bitBits
  bits.io.lookup.payload.entry := io.lookup.entry
  bits.io.lookup.payload.word := block(bitBits - 1, 0)
  bits.io.lookup.payload.write := io.lookup.write
  bits.io.pinned.valid := false.B
  bits.io.pinned.bits := 0.U
  io.lookup.answer.accepted := finds || bits.io.lookup.answer.accepted
  io.lookup.answer.blocked := bits.io.lookup.answer.blocked
  io.hit := finds
  io.miss := bits.io.lookup.hit || bits.io.lookup.miss
  io.retry := bits.io.retry

  private val wasWritten = access.bits.data(access.bits.payload.word)
  bits.io.update.valid := access.bits.payload.write && !wasWritten
  bits.io.update.bits := access.bits.data | UIntToOH(access.bits.payload.word, 1 << bitBits)
  private val refused = bits.io.refused
  when(refused || overflow) { broken := true.B }

  private val isDirect = access.bits.payload.write || wasWritten
  private val byBit = Wire(new CounterResult(p))
  byBit.entry := access.bits.payload.entry
  byBit.counter := 0.U
  byBit.key := Mux(isDirect, KeySlot.dynamic.U, KeySlot.static.U)
  byBit.direct := isDirect
  byBit.denied := broken || refused

  private val number = Mux(RegNext(io.lookup.write), RegNext(timer.next), table.io.number)
  private val byNumber = Wire(new CounterResult(p))
  byNumber.entry := RegNext(io.lookup.entry)
  byNumber.counter := number
  byNumber.key := Mux(number === 0.U, KeySlot.static.U, KeySlot.dynamic.U)
  byNumber.direct := false.B
  byNumber.denied := broken
  private val kept = Reg(new CounterResult(p))
  when(found) { kept := byNumber }

  io.result.valid := access.valid || found || held
  io.result.bits := Mux(access.valid, byBit, Mux(held, kept, byNumber))

  bits.io.flush := io.flush
  io.busy := bits.io.busy || guard.io.busy || found || held || !table.io.emptied
  io.flushing := bits.io.flushing
  io.alarm := Mux(
    overflow,
    AlarmCause.counterOverflow.U,
    Mux(refused, AlarmCause.ofStore(bits.io.faulty), AlarmCause.none.U)
  )
  io.alarmAddress := Mux(overflow, block << p.core.blockOffsetBits, p.layout.counterBase.U)
  neverReencrypts()
  nothingGuards()
}
