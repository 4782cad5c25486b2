package hauberk.memory.cache

import chisel3._
import chisel3.util._
import hauberk.memory.port.Burst
import hauberk.memory.common.{Geometry, MetadataCacheParams}

/** A write-back, write-allocate cache of metadata lines (a block's bytes each) in front of untrusted memory, with several fetches
  * outstanding and a [[LineGuard]] between it and memory.
  *
  * A look-up names a line and carries a payload. A hit is answered in the next cycle on `access`, with the payload and the line. A miss
  * asks memory in the cycle of its look-up, if the channel is free, and its look-up is answered on `access` when the guard releases the
  * line: with [[NoGuard]], in the cycle of the line's last beat, or one later if a hit is answered then. What stands on `update` in
  * the cycle of `access` becomes the line. Look-ups of a line that is on its way in or out are blocked, so those of one line are
  * answered in the order in which they are accepted, and no line is fetched whose write-back memory has not acknowledged. With `givesBeats`, the
  * look-up that started a fetch may be answered before, on `beat`, by the part of the line that it is about; it then gets no `access`.
  *
  * Lines are replaced by tree pseudo-LRU; a dirty victim is read out when its successor is asked for, so that it adds no delay. For
  * `c.sets` cycles after reset the cache clears itself, and look-ups are neither accepted nor blocked. Memory that refuses is reported on
  * `refused` not later than the line is released, and a failed verification on `failed`; what these mean is the owner's decision.
  * With fault checks ([[hauberk.fault]]) a flip in `data` is corrected where it is read. One in a tag or a flag is found by the next look-up of its set, or flush.
  *
  * @param c             geometry; the time of simulation grows with `ways`, and hardly with `lines`
  * @param base          bank-local address of line 0
  * @param lineIndexBits width of a line number
  * @param gen           payload that a look-up carries to its access
  * @param givesBeats    the beats of lines on their way are shown; only for lines that nothing guards
  * @param firstId       first of `c.ids` identifiers on the memory side: fetches, one a miss, then write-backs
  */
class LineCache[T <: Data](
    val p: Geometry,
    c: MetadataCacheParams,
    base: BigInt,
    val lineIndexBits: Int,
    gen: T,
    firstId: Int,
    givesBeats: Boolean = false
) extends Module {
  private val dataBits = p.bank.blockBytes * 8
  val io = IO(new LineCacheIO(p, c.mshrs, lineIndexBits, gen, givesBeats))

  // Numbers. Inside, a line number has at least one bit above its set
  private val wayBits = log2Ceil(c.ways)
  private val setBits = log2Ceil(c.sets)
  private val lineBits = math.max(lineIndexBits, setBits + 1)
  private val tagBits = lineBits - setBits
  private val slotBits = math.max(1, wayBits + setBits)
  private val missBits = math.max(1, log2Ceil(c.mshrs))
  private def extend(line: UInt): UInt =
    if (lineBits == lineIndexBits) line else Cat(0.U((lineBits - lineIndexBits).W), line)
  private def setOf(line: UInt): UInt = if (setBits == 0) 0.U(1.W) else line(setBits - 1, 0)
  private def tagOf(line: UInt): UInt = line >> setBits
  private def lineOf(tag: UInt, set: UInt): UInt = if (setBits == 0) tag else Cat(tag, set)
  private def slotOf(set: UInt, way: UInt): UInt = if (wayBits == 0) set else if (setBits == 0) way else Cat(set, way)
  private def wayOf(slot: UInt): UInt = if (wayBits == 0) 0.U(1.W) else slot(wayBits - 1, 0)
  private def setOfSlot(slot: UInt): UInt = if (setBits == 0) 0.U(1.W) else slot(slotBits - 1, wayBits)

  // Lines come, and become dirty, while others go, or become clean. An FPGA has no memory with two writers: so each of the two has one of
  // its own, and a line's flags are where they differ
  private val code = p.faults.tags
  private val tags = Mem(math.max(2, c.sets), Vec(c.ways, UInt(code.width(tagBits).W)))
  private val fills, evictions = Mem(math.max(2, c.sets), Vec(c.ways, new LineFlags(code)))
  private val recency = Mem(math.max(2, c.sets), UInt(TreePlru.stateBits(c.ways).W))
  private val data = SyncReadMem(math.max(2, c.lines), UInt(p.faults.words.width(dataBits).W))
  private val mshrs = RegInit(VecInit(Seq.fill(c.mshrs)(0.U.asTypeOf(new LineMiss(lineBits, slotBits)))))
  private val payloads = Reg(Vec(c.mshrs, gen))
  private def missOf(i: UInt): LineMiss = mshrs(if (c.mshrs == 1) 0.U else i)
  private def payloadOf(i: UInt): T = payloads(if (c.mshrs == 1) 0.U else i)
  private val writebackUnit = Module(new WritebackUnit(p, base, lineIndexBits, firstId + c.mshrs))
  private val cleared = RegInit(false.B)

  // What stands on `access`: a hit of the cycle before, or else a line that the guard has released
  private val answersHit = RegInit(false.B)
  private val hitLine = Reg(UInt(lineBits.W))
  private val hitSlot = Reg(UInt(slotBits.W))
  private val hitPayload = Reg(gen)
  private val hitData = Wire(UInt(dataBits.W))
  private val waiting = RegInit(false.B) // a released line that a hit held up
  private val waitingLine = Reg(new ReleasedLine(missBits, dataBits))
  private val released = io.guard.released
  private val arrival = Mux(waiting, waitingLine, released.bits)
  private val installs = !answersHit && (waiting || released.valid)
  private val collides = released.valid && (answersHit || waiting)
  when(!answersHit || released.valid) { waiting := collides }
  when(collides) { waitingLine := released.bits }
  private val arrivedMiss = missOf(arrival.miss)
  private val accessLine = Mux(answersHit, hitLine, arrivedMiss.line)
  private val accessSlot = Mux(answersHit, hitSlot, arrivedMiss.slot)
  io.access.valid := answersHit || (installs && !arrivedMiss.answered)
  io.access.bits.payload := Mux(answersHit, hitPayload, payloadOf(arrival.miss))
  io.access.bits.line := accessLine
  io.access.bits.data := Mux(answersHit, hitData, arrival.data)
  private val updates = io.access.valid && io.update.valid
  private val writes = updates || installs
  private val written = Mux(io.update.valid, io.update.bits, arrival.data)
  when(writes) { data.write(accessSlot, p.faults.words.encode(written)) }

  // Look-up
  private val line = extend(io.lookup.line)
  private val set = setOf(line)
  private val tagsHere = tags.read(set)
  private val storedTags = tagsHere.map(code.decode(_, tagBits))
  private val waysTags = VecInit(storedTags.map(_.data))
  private val fillsHere = fills.read(set)
  private val ways = VecInit(fillsHere.zip(evictions.read(set)).map { case (fill, eviction) => fill ^ eviction })
  private val order = recency.read(set)
  private val matches = ways.zip(waysTags).map { case (w, tag) => w.valid && tag === tagOf(line) }
  private val present = matches.reduce(_ || _)
  private val hitWay = if (wayBits == 0) 0.U(1.W) else OHToUInt(matches)
  private val fetching = mshrs.map(m => m.valid && !m.installed && m.line === line).reduce(_ || _)
  writebackUnit.io.line := io.lookup.line
  private val asks = io.lookup.valid && cleared
  private val hits = asks && present && !collides
  io.lookup.hit := hits

  // Victim: an empty way, else the least recently used, else any way that may be replaced
  private val pinned = extend(io.pinned.bits)
  private val mayGo = ways.zip(waysTags).zipWithIndex.map { case ((w, tag), i) =>
    val isPinned = io.pinned.valid && w.valid && lineOf(tag, set) === pinned
    val isTaken = mshrs.map(m => m.valid && m.slot === slotOf(set, i.U(math.max(1, wayBits).W))).reduce(_ || _)
    !isPinned && !isTaken
  }
  private val empty = ways.zip(mayGo).map { case (w, may) => !w.valid && may }
  private val oldest = TreePlru.victim(order, c.ways)
  private val oldestMay = VecInit(mayGo)(if (wayBits == 0) 0.U else oldest)
  private val victimWay = if (wayBits == 0) 0.U(1.W)
  else Mux(empty.reduce(_ || _), PriorityEncoder(empty), Mux(oldestMay, oldest, PriorityEncoder(mayGo)))
  private def at[S <: Data](set: Vec[S], way: UInt): S = set(if (wayBits == 0) 0.U else way)
  private val victim = at(ways, victimWay)
  private val victimSlot = slotOf(set, victimWay)
  private val leaves = victim.valid && victim.dirty
  private val freeMisses = mshrs.map(m => !m.valid)
  private val freeMiss = PriorityEncoder(freeMisses)
  private val canStart = !present && !fetching && !writebackUnit.io.holds && mayGo.reduce(_ || _) &&
    freeMisses.reduce(_ || _) && (!leaves || writebackUnit.io.ready)
  private val inUse = answersHit && hitSlot === victimSlot
  private val starts = asks && canStart && !inUse
  io.lookup.answer.accepted := hits || starts
  io.lookup.answer.blocked := asks && !present && !canStart
  io.lookup.miss := starts || io.lookup.answer.blocked
  answersHit := hits
  hitLine := line
  hitSlot := slotOf(set, hitWay)
  hitPayload := io.lookup.payload

  // Flush: walk the places, write back dirty lines
  private val walks = RegInit(false.B)
  private val flushes = RegInit(false.B)
  private val place = RegInit(0.U(slotBits.W))
  private val thereTag = at(tags.read(setOfSlot(place)), wayOf(place))
  private val storedTag = code.decode(thereTag, tagBits)
  private val thereFill = at(fills.read(setOfSlot(place)), wayOf(place))
  private val thereEviction = at(evictions.read(setOfSlot(place)), wayOf(place))
  private val there = thereFill ^ thereEviction
  private val placeBusy =
    mshrs.map(m => m.valid && m.slot === place).reduce(_ || _) || (answersHit && hitSlot === place)
  private val placeDirty = there.valid && there.dirty
  private val flushOut = cleared && walks && !placeBusy && placeDirty && writebackUnit.io.ready && !hits && !starts
  when(cleared && walks && !placeBusy && (!placeDirty || flushOut)) {
    place := place + 1.U
    when(place === (c.lines - 1).U) { walks := false.B }
  }
  when(!walks && !writebackUnit.io.busy) { flushes := false.B }
  when(io.flush) {
    walks := true.B
    flushes := true.B
    place := 0.U
  }
  io.flushing := flushes

  // One read a cycle: the line that is hit, or the one that goes. A write of the same cycle bypasses the memory
  private val readSlot = Mux(hits, slotOf(set, hitWay), Mux(starts, victimSlot, place))
  private val passedBy = RegNext(writes && accessSlot === readSlot, false.B)
  private val passed = RegNext(written)
  private val read = data.read(readSlot, hits || starts || flushOut)
  private val stored = p.faults.words.decode(read, dataBits)
  hitData := Mux(passedBy, passed, stored.data)
  private val evicts = (starts && leaves) || flushOut
  writebackUnit.io.start.valid := evicts
  writebackUnit.io.start.bits := Mux(
    starts,
    lineOf(at(waysTags, victimWay), set),
    lineOf(storedTag.data, setOfSlot(place))
  )
  writebackUnit.io.data := hitData

  // State of lines: of those that are accessed, and of those that go
  private val clearing = RegInit(0.U(math.max(1, setBits).W))
  when(!cleared) {
    clearing := clearing + 1.U
    cleared := clearing === (c.sets - 1).U
  }
  private val usedWay = if (wayBits == 0) 0.U(1.W) else Mux(hits, hitWay, victimWay)
  when(!cleared || hits || starts) {
    recency.write(Mux(cleared, set, clearing), Mux(cleared, TreePlru.use(order, usedWay, c.ways), 0.U))
  }
  private def only(way: UInt): Seq[Bool] = (0 until c.ways).map(i => if (wayBits == 0) true.B else way === i.U)
  private def all[S <: Data](one: S): Vec[S] = VecInit(Seq.fill(c.ways)(one))
  private val accessedSet = setOf(accessLine)
  private val accessed = LineFlags(code, true.B, io.update.valid)
  private val fill = accessed ^ at(evictions.read(accessedSet), wayOf(accessSlot))
  private val cleans = LineFlags(code, false.B, false.B)
  when(writes) { tags.write(accessedSet, all(code.encode(tagOf(accessLine))), only(wayOf(accessSlot))) }
  when(!cleared || writes) {
    fills.write(
      Mux(cleared, accessedSet, clearing),
      all(Mux(cleared, fill, cleans)),
      only(wayOf(accessSlot)).map(_ || !cleared)
    )
  }
  private val eviction = WireInit(Mux(starts, at(fillsHere, victimWay), thereFill))
  when(!starts) { eviction := LineFlags(code, thereEviction.valid, thereFill.dirty) } // a line that is flushed stays
  private val goesWay = Mux(starts, victimWay, wayOf(place))
  when(!cleared || starts || flushOut) {
    evictions.write(
      Mux(cleared, Mux(starts, set, setOfSlot(place)), clearing),
      all(Mux(cleared, eviction, cleans)),
      only(goesWay).map(_ || !cleared)
    )
  }

  // Requests: fetches before write-backs, but never inside a burst
  private val request = io.memory.request
  private val toAsk = mshrs.map(m => m.valid && !m.asked)
  private val anyToAsk = toAsk.reduce(_ || _)
  private val toAskFirst = PriorityEncoder(toAsk)
  private val fetch = !writebackUnit.io.inBurst && (anyToAsk || starts)
  request.valid := fetch || writebackUnit.io.request.valid
  request.bits := writebackUnit.io.request.bits
  writebackUnit.io.request.ready := request.ready && !fetch
  when(fetch) {
    request.bits.write := false.B
    request.bits.address := base.U +& (Mux(anyToAsk, mshrs(toAskFirst).line, line) << p.memory.blockOffsetBits)
    request.bits.id := firstId.U +& Mux(anyToAsk, toAskFirst, freeMiss)
  }
  when(fetch && anyToAsk && request.ready) { mshrs(toAskFirst).asked := true.B }
  when(starts) {
    val m = mshrs(freeMiss)
    m.valid := true.B
    m.asked := fetch && !anyToAsk && request.ready
    m.installed := false.B
    m.settled := false.B
    m.answered := false.B
    m.line := line
    m.slot := victimSlot
    payloads(freeMiss) := io.lookup.payload
  }
  io.guard.opened.valid := starts
  io.guard.opened.bits.miss := freeMiss
  io.guard.opened.bits.line := io.lookup.line

  // Responses. A manager may answer in the cycle of the request; it is then held for the one cycle that the books need
  private val response = io.memory.response
  private val isFetch = response.valid && !response.bits.write
  private val from = (response.bits.id - firstId.U)(missBits - 1, 0)
  private val expected = isFetch && missOf(from).valid && missOf(from).asked
  private val beats = Reg(Vec(p.memory.blockBeats, UInt(p.memory.beatBits.W)))
  private val (_, lastBeat, beat) =
    Burst.track(isFetch && response.ready, (p.memory.blockBeats - 1).U(p.memory.beatIndexBits.W))
  response.ready := response.bits.write || (expected && (!lastBeat || io.guard.fetched.ready))
  when(expected && !lastBeat) { beats(beat) := response.bits.data }
  for (part <- io.beat) {
    val arrived = RegNext(from)
    val index = RegNext(beat)
    part.valid := RegNext(expected && !lastBeat, false.B) && !missOf(arrived).answered
    part.payload := payloadOf(arrived)
    part.line := missOf(arrived).line
    part.index := index
    part.data := beats(index)
    when(part.valid && part.ready) { missOf(arrived).answered := true.B }
  }
  io.guard.fetched.valid := expected && lastBeat
  io.guard.fetched.bits.miss := from
  io.guard.fetched.bits.line := missOf(from).line
  io.guard.fetched.bits.data := Cat(response.bits.data +: beats.init.reverse)
  io.guard.seal <> writebackUnit.io.seal
  writebackUnit.io.sealedLine := io.guard.sealedLine
  writebackUnit.io.acknowledged.valid := response.valid && response.bits.write
  writebackUnit.io.acknowledged.bits := (response.bits.id - (firstId + c.mshrs).U)(
    log2Ceil(MetadataCacheParams.writebacks) - 1,
    0
  )
  private val wrongSet =
    ways.zip(storedTags).map { case (w, tag) => w.faulty || (w.valid && tag.faulty) }.reduce(_ || _)
  private val wrongPlace = cleared && walks && (there.faulty || (there.valid && storedTag.faulty))
  private val usesStored = (answersHit || RegNext(evicts, false.B)) && !passedBy
  io.faulty := (asks && wrongSet) || wrongPlace || (usesStored && stored.faulty)
  io.refused := (response.valid && response.ready && response.bits.denied) || io.faulty

  // A miss is over when its line is in its place and settled
  private val settled = io.guard.settled
  when(installs) { arrivedMiss.installed := true.B }
  when(settled.valid) { missOf(settled.bits.miss).settled := true.B }
  private val over = mshrs.zipWithIndex.map { case (m, i) =>
    val isInstalled = m.installed || (installs && arrival.miss === i.U)
    val isSettled = m.settled || (settled.valid && settled.bits.miss === i.U)
    m.valid && isInstalled && isSettled
  }
  for ((m, ends) <- mshrs.zip(over)) { when(ends) { m.valid := false.B } }
  io.failed.valid := settled.valid && !settled.bits.ok
  io.failed.bits := missOf(settled.bits.miss).line
  io.unsettled := VecInit(mshrs.map(m => m.valid && m.installed && !m.settled)).asUInt
  private val wasPinned = RegNext(io.pinned.valid, false.B)
  private val unpinned = wasPinned && !(io.pinned.valid && io.pinned.bits === RegNext(io.pinned.bits))
  io.retry := installs || over.reduce(_ || _) || writebackUnit.io.finished || unpinned
  io.busy := !cleared || answersHit || mshrs.map(_.valid).reduce(_ || _) || writebackUnit.io.busy || flushes
}
