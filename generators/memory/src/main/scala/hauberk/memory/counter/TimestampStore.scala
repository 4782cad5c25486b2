package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot}
import hauberk.memory.cache.LineCache

/** Payload that a look-up of a timestamp carries to its line. */
class TimestampAccess(val p: Geometry, val wordBits: Int) extends Bundle {
  val write = Bool()
  val entry = UInt(p.entryBits.W)
  val word = UInt(wordBits.W)

  /** The line was on the chip. */
  val hit = Bool()

  /** Looks for blocks to re-encrypt, for no transaction. */
  val scan = Bool()
}

/** What a look-up is answered from: a line, or one beat of it in each place. */
class TimestampLine(val p: Geometry, val wordBits: Int, val lineBits: Int, val dataBits: Int) extends Bundle {
  val payload = new TimestampAccess(p, wordBits)
  val line = UInt(lineBits.W)
  val data = UInt(dataBits.W)
}

/** Timestamps in a [[LineCache]] (AEGIS section 6.3). A hit is answered in the next cycle, a miss in the cycle of its line's last beat, or
  * in the cycle after the beat of its timestamp if it is a read and nothing guards the line. A write gets its timestamp when its line is
  * there, so that those of one block increase in the order of its writes.
  *
  * Timestamps that are counted per address come from lines that a counter tree guards; a fresh one of a line that is not verified
  * yet is held back, because a pad must never be made of a counter that memory may have rolled back.
  *
  * Once memory has refused a line, a line is false, or no timestamp is left, every look-up is answered, and denied; so is one whose key is
  * not there. Where memory is re-encrypted, writes wait before the last timestamps are taken, until those of the next key are there.
  */
class TimestampStore(p: Geometry, g: Timestamps) extends CounterStore(p) {
  private val perLine = p.layout.countersPerLine
  private val wordBits = log2Ceil(perLine)
  private val lineBits = math.max(1, log2Ceil(p.layout.counterLines))
  private val timestampBits = g.timestampBits
  private val dataBits = p.bank.blockBytes * 8
  require(
    !g.trustsMemory || perLine * g.storedBits + 64 <= dataBits,
    s"$perLine timestamps of ${g.storedBits} bits and a MAC do not fit a line of $dataBits bits: use blocks of 64 bytes or more"
  )
  private val gen = new TimestampAccess(p, wordBits)
  private val cache =
    Module(new LineCache(p, g.cache, p.layout.counterBase, lineBits, gen, p.counterIds, givesBeats = !p.guardsCounters))
  private val guard = new TimestampGuard(p, g.cache.mshrs, cache, io)

  // Timestamps that may still be taken once no write may begin: one by each that has, by one that is on its way to them, and by the re-encryption
  private val margin = p.writes + 2
  private val maximum = (BigInt(1) << timestampBits) - 1
  require(
    !g.reencrypts || maximum > 2 * margin,
    s"$maximum timestamps are too few for ${p.writes} writes in flight beside a re-encryption, which need more than " +
      s"${2 * margin}: use wider timestamps, or fewer writes"
  )

  private val timer = RegInit(0.U(timestampBits.W))
  private val broken = RegInit(false.B)

  // Re-encryption
  private val access = Wire(Valid(new TimestampLine(p, wordBits, lineBits, dataBits)))
  access.valid := cache.io.access.valid
  access.bits := cache.io.access.bits
  // A read of a timestamp that nothing guards needs no more of the line than the beat. If memory refuses a later one, the read keeps its answer, and
  // the engine halts
  for (beat <- cache.io.beat) {
    val perBeat = p.memory.beatBits / g.storedBits
    val payload = beat.payload
    val isWanted = !payload.write && !payload.scan && beat.index === payload.word >> log2Ceil(perBeat)
    beat.ready := isWanted && !cache.io.access.valid && !broken
    when(!cache.io.access.valid) {
      access.valid := beat.valid && beat.ready
      access.bits.payload := payload
      access.bits.line := beat.line
      access.bits.data := Fill(p.memory.blockBeats, beat.data)
    }
  }
  private val a = access.bits.payload
  private val block = Cat(access.bits.line, a.word)
  private val sweep = if (g.reencrypts) Some(Module(new RekeySweep(p, perLine))) else None
  private val wantsScan = sweep.map(_.io.scan.valid).getOrElse(false.B)
  private val isBeforePointer = sweep.map(s => s.io.sweeping && block < s.io.pointer).getOrElse(false.B)
  private val isAtPointer = sweep.map(s => s.io.sweeping && block === s.io.pointer).getOrElse(false.B)
  private val currentKey = sweep.map(_.io.current).getOrElse(KeySlot.dynamic.U)
  private val nextKey = sweep.map(_.io.next).getOrElse(KeySlot.dynamic.U)

  // Look-up. Scans take what is left over, or, when they have waited for long, a turn
  private val scanAge = RegInit(0.U(4.W))
  private val scans = wantsScan && (!io.lookup.valid || scanAge.andR)
  scanAge := Mux(wantsScan && !scans, scanAge + 1.U, 0.U)
  private val scanLine = sweep.map(_.io.scan.bits).getOrElse(0.U)
  private val denies = RegInit(false.B) // a look-up to be denied without asking the cache
  private val deniedEntry = Reg(UInt(p.entryBits.W))
  private val asksCache = io.lookup.valid && !scans && !broken
  private val deniesAtOnce = io.lookup.valid && broken && !denies
  private val asked = io.lookup.block + 0.U((lineBits + wordBits).W)
  cache.io.lookup.valid := scans || asksCache
  cache.io.lookup.line := Mux(scans, scanLine, asked >> wordBits)
  cache.io.lookup.payload.write := io.lookup.write
  cache.io.lookup.payload.entry := io.lookup.entry
  cache.io.lookup.payload.word := asked(wordBits - 1, 0)
  cache.io.lookup.payload.hit := cache.io.lookup.hit
  cache.io.lookup.payload.scan := scans
  io.lookup.answer.accepted := deniesAtOnce || (asksCache && cache.io.lookup.answer.accepted)
  io.lookup.answer.blocked := asksCache && cache.io.lookup.answer.blocked
  io.hit := asksCache && cache.io.lookup.hit
  io.miss := asksCache && cache.io.lookup.miss
  io.retry := cache.io.retry || broken

  // The timestamps of the line, and the one to come
  private val line = access.bits.data
  private val stored = VecInit((0 until perLine).map(i => line(g.storedBits * (i + 1) - 1, g.storedBits * i)))
  private val timestamp = stored(a.word)(timestampBits - 1, 0)
  private val nextTimer = RegInit(0.U(timestampBits.W))
  private val largest = Mux(isBeforePointer, nextTimer, timer)
  private val last = g.update match {
    case TimestampUpdate.Global => largest
    case TimestampUpdate.PerAddress => timestamp
    case TimestampUpdate.Mixed => Mux(a.hit, timestamp, largest)
  }
  private val isClient = access.valid && !a.scan
  private val refused = cache.io.refused || guard.failed
  private val overflow = isClient && a.write && !isAtPointer && last.andR && !broken
  private val fresh = Mux(isAtPointer, 1.U(timestampBits.W), last + 1.U)
  private val counter = Mux(a.write, fresh, timestamp)
  // The static key decrypts blocks that were not written since the image was made (AEGIS section 3.3.1)
  private val key = Mux(
    counter === 0.U,
    KeySlot.static.U(KeySlot.width.W),
    Mux(isBeforePointer || (isAtPointer && a.write), nextKey, currentKey)
  )
  private val denied = broken || refused || overflow || !io.keys.usable(key)
  private val records = isClient && a.write && !denied
  private val changed = WireInit(stored)
  changed(a.word) := fresh
  cache.io.update.valid := records
  cache.io.update.bits :=
    (if (perLine * g.storedBits == dataBits) changed.asUInt
     else Cat(line(dataBits - 1, perLine * g.storedBits), changed.asUInt))
  when(records && !isBeforePointer && !isAtPointer && fresh > timer) { timer := fresh }
  when(records && isBeforePointer) { nextTimer := fresh }

  // Results: of lines; when those leave room, of writes that waited until their line was verified; or of look-ups denied at once
  private val found = Wire(new CounterResult(p))
  found.entry := a.entry
  found.counter := counter
  found.key := key
  found.direct := false.B
  found.denied := denied
  private val holds = if (g.trustsMemory) records && guard.pending.orR else false.B
  private val answers = isClient && !holds
  private val held = if (g.trustsMemory) Some(Module(new HeldResults(p, g.cache.mshrs))) else None
  private val heldIsReady = held.map(_.io.result.valid).getOrElse(false.B)
  for (h <- held) {
    h.io.put.valid := holds
    h.io.put.bits := found
    h.io.pending := guard.pending
    h.io.result.ready := !answers
  }
  when(!answers && !heldIsReady) { denies := false.B }
  when(deniesAtOnce) {
    denies := true.B
    deniedEntry := io.lookup.entry
  }
  io.result.valid := answers || heldIsReady || denies
  io.result.bits := found
  when(!answers) {
    for (h <- held) { io.result.bits := h.io.result.bits }
    io.result.bits.denied := broken
    when(!heldIsReady) { io.result.bits.entry := deniedEntry }
  }
  io.pending := guard.pending
  io.failed := guard.failed
  private val holdsSome = held.map(_.io.busy).getOrElse(false.B)
  io.unverified := cache.io.unsettled.orR || holdsSome
  io.busy := cache.io.busy || guard.busy || holdsSome || denies || sweep.map(_.io.busy).getOrElse(false.B)

  cache.io.pinned.valid := false.B
  cache.io.pinned.bits := 0.U

  if (sweep.isEmpty) neverReencrypts()
  for (s <- sweep) {
    s.io.due := timer >= (maximum - g.reserve.get.max(margin)).U
    s.io.usable := io.keys.usable
    io.keys.wanted := s.io.wanted
    io.keys.zeroize := s.io.zeroize
    io.rekeying := s.io.sweeping
    s.io.scan.ready := scans && cache.io.lookup.answer.accepted
    s.io.scanned.valid := access.valid && a.scan
    s.io.scanned.bits := VecInit(stored.map(_ =/= 0.U)).asUInt
    s.io.crossed := records && isAtPointer
    s.io.halt := broken
    io.reencrypt.valid := s.io.reencrypt.valid
    io.reencrypt.bits.block := s.io.reencrypt.bits
    io.reencrypt.bits.slot := 0.U
    s.io.reencrypt.ready := io.reencrypt.ready
    s.io.reencrypted := io.reencrypted.valid
    // A writer that is faster than the re-encryption waits for it; the wait for a missing key is bounded
    val short = (maximum - margin).U
    io.hold := timer >= short || (s.io.sweeping && nextTimer >= short)
    s.io.urgent := io.hold
    when(s.io.starts) { nextTimer := 1.U }
    when(s.io.ends) { timer := Mux(records, fresh, nextTimer) }
  }

  // Fail closed
  private val lost = sweep.map(_.io.lost).getOrElse(false.B)
  private val keyless = sweep.map(_.io.keyless).getOrElse(false.B)
  when(refused || overflow || lost || keyless) { broken := true.B }
  io.alarm := guard.alarm.cause
  io.alarmAddress := guard.alarm.address
  when(cache.io.refused || lost) {
    io.alarm := AlarmCause.ofStore(cache.io.faulty)
    io.alarmAddress := p.layout.counterBase.U
  }
  when(keyless) {
    io.alarm := AlarmCause.counterOverflow.U
    io.alarmAddress := p.layout.counterBase.U
  }
  when(overflow) {
    io.alarm := AlarmCause.counterOverflow.U
    io.alarmAddress := block << p.core.blockOffsetBits
  }
}
