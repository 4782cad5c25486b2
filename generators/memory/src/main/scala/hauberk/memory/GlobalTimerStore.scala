package hauberk.memory

import chisel3._
import chisel3.util._

/** The counter store of AEGIS section 6.3: one TIMER for all blocks, incremented at every write, its value kept in the clear beside the
  * data and cached with its neighbours. Time stamp 0 is never given to a write: it means "as the package brought it".
  *
  * @param timestampBits width of TIMER; at its largest value the next write raises the alarm and halts the engine
  * @param cache         geometry of the time stamp cache
  */
case class GlobalTimer(timestampBits: Int = 32, cache: MetadataCacheParams = MetadataCacheParams())
    extends CounterStoreParams {
  require(
    timestampBits >= 2 && timestampBits <= 64,
    s"timestampBits is $timestampBits: a time stamp has 2 to 64 bits"
  )
  val name = "a global timer"
  val counterBits: Int = timestampBits
  val counterBytes: Int = Seq(1, 2, 4, 8).find(_ * 8 >= timestampBits).get
  def countersPerLine(blockBytes: Int): Int = blockBytes / counterBytes
  val trustsMemory, leavesRoomForMac, refreshes = false
  def memoryIds(layout: MetadataLayout, integrity: Integrity): Int = cache.misses + 1
  def build(p: Protection): CounterStore = new GlobalTimerStore(p, this)
}

/** State of a line fetch. */
class LineFetch(val p: Protection, val lineBits: Int, val slotBits: Int, val wordBits: Int) extends Bundle {
  val valid = Bool()

  /** The line that was in the place before is still being copied out. */
  val evicting = Bool()
  val asked = Bool()
  val line = UInt(lineBits.W)
  val slot = UInt(slotBits.W)

  /** Counters written meanwhile, which the fetched line must not overwrite. */
  val written = UInt((1 << wordBits).W)

  /** The read that started the fetch, served as its counter passes. */
  val forward = Bool()
  val entry = UInt(p.entryBits.W)
  val word = UInt(wordBits.W)
}

/** Write-back, write-allocate time stamp cache in front of memory, with several line fetches outstanding. A hit is answered in the next
  * cycle. A read that misses asks memory in the same cycle, if the place it needs is clean, and is answered as its time stamp arrives.
  */
class GlobalTimerStore(p: Protection, g: GlobalTimer) extends CounterStore(p) {
  private val c = g.cache
  private val perLine = p.layout.countersPerLine
  private val wordBits = log2Ceil(perLine)
  private val perBeat = p.memory.beatBytes / g.counterBytes
  private val perBeatBits = log2Ceil(perBeat)
  private val beatBits = p.memory.beatIndexBits
  private val setBits = log2Ceil(c.sets)
  private val wayBits = math.max(1, log2Ceil(c.ways))
  private val slotBits = math.max(1, log2Ceil(c.lines))
  private val lineBits = math.max(p.core.blockIndexBits - wordBits, setBits + 1)
  private val tagBits = lineBits - setBits
  private val storedBits = g.counterBytes * 8
  private val fetchBits = math.max(1, log2Ceil(c.misses))

  private def setOf(line: UInt): UInt = if (setBits == 0) 0.U(1.W) else line(setBits - 1, 0)
  private def slotOf(set: UInt, way: UInt): UInt =
    if (c.ways == 1) set else if (setBits == 0) way else Cat(set, way)

  private val tags = Reg(Vec(c.lines, UInt(tagBits.W)))
  private val valid = RegInit(VecInit(Seq.fill(c.lines)(false.B)))
  private val dirty = RegInit(VecInit(Seq.fill(c.lines)(false.B)))
  private val filling = RegInit(VecInit(Seq.fill(c.lines)(false.B)))
  private val victimWay = RegInit(VecInit(Seq.fill(c.sets)(0.U(wayBits.W))))
  private val data = SyncReadMem(c.lines << beatBits, Vec(perBeat, UInt(storedBits.W)))

  private val fetches = RegInit(VecInit(Seq.fill(c.misses) {
    0.U.asTypeOf(new LineFetch(p, lineBits, slotBits, wordBits))
  }))
  private val writeBack = Module(new CounterWriteBack(p, slotBits, lineBits))

  private val timer = RegInit(0.U(g.timestampBits.W))
  private val exhausted = timer.andR

  // Fail closed: once broken, every look-up is answered, and denied.
  private val broken = RegInit(false.B)

  // Fetched beats
  private val response = io.memory.response
  private val isFetch = response.valid && !response.bits.write
  private val fetched = (response.bits.id - p.counterIds.U)(fetchBits - 1, 0)
  private val fetch = fetches(fetched)
  private val (_, lastFetched, fetchedBeat) =
    Burst.track(response.valid && response.ready && !response.bits.write, (p.memory.blockBeats - 1).U(beatBits.W))
  private val held = RegInit(false.B) // a forwarded counter that found the result port busy
  private val heldResult = Reg(new CounterResult(p))
  private val forwardDue = isFetch && fetch.forward && (fetch.word >> perBeatBits) === fetchedBeat
  response.ready := response.bits.write || (fetch.valid && fetch.asked && !(forwardDue && held))
  private val fill = isFetch && response.ready
  private val filled = fill && lastFetched

  // Look-up
  private val block = io.lookup.block
  private val line = (block + 0.U((lineBits + wordBits).W)) >> wordBits
  private val word = block(wordBits - 1, 0)
  private val set = setOf(line)
  private val matches = VecInit((0 until c.ways).map { w =>
    val slot = slotOf(set, w.U(wayBits.W))
    valid(slot) && tags(slot) === (line >> setBits)
  })
  private val present = matches.reduce(_ || _)
  private val slot = slotOf(set, (if (c.ways == 1) 0.U(1.W) else OHToUInt(matches)))
  private val onItsWay = VecInit(fetches.map(f => f.valid && f.slot === slot))
  private val pending = Mux1H(onItsWay, fetches)
  private val wordThere = (pending.written >> word)(0)
  private val usable = !filling(slot) || (!pending.evicting && (io.lookup.write || wordThere))
  // One write port, and no read of a place in the cycle it is written
  private val portFree = !held && !(fill && (io.lookup.write || filling(slot)))
  private val hit = present && usable && portFree
  private val take = io.lookup.valid && hit && !broken
  private val writes = take && io.lookup.write && !exhausted
  private val overflow = take && io.lookup.write && exhausted

  private val victim = slotOf(set, victimWay(set))
  private val freeFetch = fetches.map(f => !f.valid)
  private val freeIndex = PriorityEncoder(freeFetch)
  private val dirtyVictim = valid(victim) && dirty(victim)
  private val beingWrittenBack = writeBack.io.active && writeBack.io.line === line
  private val flushStart = Wire(Bool())
  private val beingCopied = writeBack.io.active && writeBack.io.slot === victim
  private val canStart = freeFetch.reduce(_ || _) && !filling(victim) && !beingWrittenBack && !beingCopied &&
    !(dirtyVictim && (writeBack.io.active || flushStart))
  private val starts = io.lookup.valid && !present && canStart && !broken
  private val startsClean = starts && !dirtyVictim

  io.lookup.answer.accepted := take || (starts && !io.lookup.write) || (io.lookup.valid && broken && !held)
  io.lookup.answer.blocked := io.lookup.valid && !broken && Mux(present, !usable, !starts || io.lookup.write)
  io.hit := take
  io.miss := io.lookup.valid && !broken && ((present && !usable) || !present)

  private val counter = timer + 1.U
  when(writes) {
    timer := counter
    dirty(slot) := true.B
    for ((f, here) <- fetches.zip(onItsWay)) { when(here) { f.written := f.written | UIntToOH(word) } }
  }

  // Metadata requests: fetches before write-backs, but never inside a burst
  private val toAsk = VecInit(fetches.map(f => f.valid && !f.evicting && !f.asked))
  private val anyToAsk = toAsk.reduce(_ || _)
  private val asks = PriorityEncoder(toAsk)
  private val (_, _, sendingBeat) = Burst.track(
    writeBack.io.request.valid && writeBack.io.request.ready,
    (p.memory.blockBeats - 1).U(beatBits.W)
  )
  private val inBurst = sendingBeat =/= 0.U
  private val askNow = startsClean && !anyToAsk && !writeBack.io.request.valid
  private val ask = !inBurst && (anyToAsk || askNow)

  // Start a fetch
  private val wasEvicting = fetches.map(f => f.valid && f.evicting)
  when(starts) {
    val f = fetches(freeIndex)
    f.valid := true.B
    f.evicting := dirtyVictim
    f.asked := askNow && io.memory.request.ready
    f.line := line
    f.slot := victim
    f.written := 0.U
    f.forward := !io.lookup.write
    f.entry := io.lookup.entry
    f.word := word
    tags(victim) := line >> setBits
    valid(victim) := true.B
    dirty(victim) := false.B
    filling(victim) := true.B
    victimWay(set) := (if (c.ways == 1) 0.U else Mux(victimWay(set) === (c.ways - 1).U, 0.U, victimWay(set) + 1.U))
  }
  for ((f, evicting) <- fetches.zip(wasEvicting)) { when(writeBack.io.copied && evicting) { f.evicting := false.B } }

  io.memory.request.valid := ask || writeBack.io.request.valid
  io.memory.request.bits := writeBack.io.request.bits
  writeBack.io.request.ready := io.memory.request.ready && !ask
  when(ask) {
    val askedLine = Mux(anyToAsk, fetches(asks).line, line)
    io.memory.request.bits.write := false.B
    io.memory.request.bits.address := p.layout.counterBase.U + (askedLine << p.memory.blockOffsetBits)
    io.memory.request.bits.id := p.counterIds.U +& Mux(anyToAsk, asks, freeIndex)
    when(anyToAsk && io.memory.request.ready) { fetches(asks).asked := true.B }
  }

  // Results: a hit in the cycle after, or a counter as it passes
  private val answered = RegNext(take || (io.lookup.valid && broken && !held), false.B)
  private val answer = Reg(new CounterResult(p))
  private val answerIsNew = Reg(Bool())
  private val answerWord = Reg(UInt(math.max(1, perBeatBits).W))
  when(io.lookup.valid) {
    answer.entry := io.lookup.entry
    answer.counter := counter
    answer.denied := broken || overflow
    answer.key := KeySlot.dynamic.U
    answer.direct := false.B
    answerIsNew := io.lookup.write
    answerWord := (if (perBeatBits == 0) 0.U else word(perBeatBits - 1, 0))
  }
  private val readsNow = io.lookup.valid && !io.lookup.write
  writeBack.io.read.ready := !readsNow && !writes && !fill
  private val readAddress = Mux(readsNow, Cat(slot, word >> perBeatBits), writeBack.io.read.bits)
  private val readBeat = data.read(readAddress, readsNow || writeBack.io.read.valid)
  writeBack.io.readData := readBeat.asUInt

  private val passing = Wire(new CounterResult(p))
  passing.entry := fetch.entry
  passing.counter := VecInit((0 until perBeat).map(i =>
    response.bits.data(storedBits * i + g.timestampBits - 1, storedBits * i)
  ))(
    if (perBeatBits == 0) 0.U else fetch.word(perBeatBits - 1, 0)
  )
  passing.key := KeySlot.dynamic.U
  passing.direct := false.B
  passing.denied := response.bits.denied || broken
  private val forwards = forwardDue && fill
  io.result.valid := answered || held || forwards
  private val outgoing = Wire(new CounterResult(p))
  outgoing := Mux(held, heldResult, passing)
  when(answered) {
    outgoing := answer
    when(!answerIsNew) { outgoing.counter := readBeat(answerWord) }
  }
  io.result.bits := outgoing
  // The static key decrypts what nobody has written since the package was made (AEGIS section 3.3.1)
  io.result.bits.key := Mux(outgoing.counter === 0.U, KeySlot.static.U, KeySlot.dynamic.U)
  when(forwards && answered) { heldResult := passing }
  held := answered && (held || forwards)

  // One write port: a fresh counter, or a fetched beat without the counters written since
  private val keep = VecInit((0 until perBeat).map(i => (fetch.written >> ((fetchedBeat << perBeatBits) | i.U))(0)))
  private val freshBeat = VecInit(Seq.fill(perBeat)((counter + 0.U(storedBits.W))(storedBits - 1, 0)))
  private val fetchedWords =
    VecInit((0 until perBeat).map(i => response.bits.data(storedBits * (i + 1) - 1, storedBits * i)))
  private val writeAddress = Mux(fill, Cat(fetch.slot, fetchedBeat), Cat(slot, word >> perBeatBits))
  private val writeMask = (0 until perBeat).map { i =>
    Mux(fill, !keep(i), (if (perBeatBits == 0) 0.U else word(perBeatBits - 1, 0)) === i.U)
  }
  private val writeWords = Wire(Vec(perBeat, UInt(storedBits.W)))
  writeWords := Mux(fill, fetchedWords, freshBeat)
  when(fill || writes) { data.write(writeAddress, writeWords, writeMask) }
  when(filled) {
    fetch.valid := false.B
    filling(fetch.slot) := false.B
  }

  // Flush: walk the places, write back what is dirty
  private val flushing = RegInit(false.B)
  private val flushSlot = RegInit(0.U(slotBits.W))
  private val flushDirty = valid(flushSlot) && dirty(flushSlot)
  flushStart := flushing && flushDirty && !filling(flushSlot) && !writeBack.io.active
  when(io.flush) {
    flushing := true.B
    flushSlot := 0.U
  }.elsewhen(flushing && !flushDirty && !filling(flushSlot) && !writeBack.io.active) {
    flushSlot := flushSlot + 1.U
    when(flushSlot === (c.lines - 1).U) { flushing := false.B }
  }
  when(flushStart && !(writes && slot === flushSlot)) { dirty(flushSlot) := false.B }
  io.flushing := flushing
  private def setLine(slot: UInt): UInt =
    if (setBits == 0) tags(slot) else Cat(tags(slot), (slot >> (slotBits - setBits))(setBits - 1, 0))
  private val evictStart = starts && dirtyVictim
  writeBack.io.start := evictStart || flushStart
  writeBack.io.startSlot := Mux(evictStart, victim, flushSlot)
  writeBack.io.startLine := setLine(writeBack.io.startSlot)
  writeBack.io.acknowledged := response.valid && response.bits.write

  neverRefreshes()
  nothingGuards()

  // Anything that could let a waiting look-up through
  io.retry := filled || writeBack.io.copied || writeBack.io.finished || RegNext(starts, false.B)

  private val refused = response.valid && response.ready && response.bits.denied
  when(refused || overflow) { broken := true.B }
  io.alarm := Mux(overflow, AlarmCause.counterOverflow.U, Mux(refused, AlarmCause.metadataError.U, AlarmCause.none.U))
  io.alarmAddress := Mux(overflow, block << p.core.blockOffsetBits, p.layout.counterBase.U)
}
