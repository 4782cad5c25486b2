package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryArbiter, MemoryRequest, MemoryRequestHeader}
import hauberk.memory.layout.TreeLeaves
import hauberk.memory.common.{AlarmCause, Geometry}
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.tree.{LevelFlush, TreeKeyChange, TreeKeys}
import hauberk.memory.region.RegionFilter

/** Transactions on protected blocks: joins reads, writes, counters and keystream. Accesses to one block take effect in the order of their
  * requests; accesses to different blocks do not wait for each other.
  *
  * A read whose counter is cached, and whose block is not being written, goes to memory in the cycle of its arrival; its counter is looked up in parallel.
  * If the counter is not cached, its request goes to memory in the next cycle, and then the read's.
  */
class TransactionCore(p: Geometry, parts: EngineParts) extends Module {
  val io = IO(new TransactionCoreIO(p))
  private val reads = Module(new ReadUnit(p))
  private val writes = Module(new WriteUnit(p))
  private val counters = Module(parts.counterStore())
  private val verifier = Module(parts.verifier())

  // The request at the head, with the older transactions of its block
  private val head = io.client.request
  private val header = MemoryRequestHeader(p.core, head.bits)
  reads.io.block := header.block
  writes.io.block := header.block
  private val isWrite = head.bits.write
  // A partial write needs its block's old bytes, and a log takes them out before any write: a read then goes with the write's first beat
  private val joins = writes.io.joins
  private val isPartial =
    isWrite && (head.bits.partial || head.bits.size =/= p.core.blockOffsetBits.U) && !writes.io.extendsWrite
  private val reading = !joins && (!isWrite || (writes.io.first && (isPartial || p.takesOldValues.B)))
  private val writing = isWrite || joins
  private val afterReads = reads.io.matches & (~reads.io.done).asUInt
  private val afterWrites = writes.io.matches & (~writes.io.done).asUInt
  private val clear = !writes.io.matches.orR && (reading || !reads.io.matches.orR)

  // Everything below prefers some transactions to others, so that an endless stream of new ones could pass an old one by for ever. Hence,
  // when one has been passed by for `starvationLimit` cycles, new ones wait until all that were in flight with it are done.
  private val inFlight = Cat(writes.io.inFlight, reads.io.inFlight)
  io.inFlight := inFlight.orR || writes.io.answersJoined
  private val done = Cat(writes.io.done, reads.io.done)
  private val elders = RegInit(0.U(p.entries.W))
  private val age = RegInit(0.U(log2Ceil(TransactionCore.starvationLimit + 1).W))
  private val impatient = age === TransactionCore.starvationLimit.U
  elders := Mux(elders.orR, elders, inFlight) & (~done).asUInt
  age := Mux(elders.orR, Mux(impatient, age, age + 1.U), 0.U)
  private val open = !impatient || (isWrite && !writes.io.first) || p.isInternal(head.bits.id)

  private val room = (!reading || reads.io.take.ready) && (!writing || writes.io.take.ready)
  private val enters = head.valid && open && room
  head.ready := open && room
  reads.io.take.valid := enters && reading
  reads.io.take.bits.request := head.bits
  when(isWrite) {
    reads.io.take.bits.request.write := false.B
    reads.io.take.bits.request.address := header.block << p.core.blockOffsetBits
    reads.io.take.bits.request.size := Mux(isPartial, p.core.blockOffsetBits.U, p.core.beatOffsetBits.U)
  }
  reads.io.take.bits.forWrite := isWrite
  reads.io.take.bits.merges := isPartial
  reads.io.take.bits.target := writes.io.free - p.reads.U
  reads.io.takeAfter := afterWrites
  writes.io.take.valid := enters && writing
  writes.io.take.bits := head.bits
  writes.io.partial := isPartial
  writes.io.takeAfterReads := afterReads | Mux(reading, UIntToOH(reads.io.free, p.reads), 0.U)
  writes.io.takeAfterWrites := afterWrites
  writes.io.abandon := io.abandon
  writes.io.usable := io.keys.usable
  writes.io.merge := reads.io.merge
  writes.io.waitedFor := reads.io.waitsFor
  reads.io.mergeable := writes.io.mergeable
  reads.io.othersDone := writes.io.done
  writes.io.othersDone := reads.io.done
  private val headTaken = enters && !joins && (!isWrite || writes.io.first)
  private val headStarts = headTaken && clear

  // One look-up a cycle: if others wait, they and the head in turn. Whose turn it is depends on registers alone, since whether there is a
  // head, and whether something older of its block keeps it from looking, is known late in the cycle
  private val others = Seq(reads.io.lookup, writes.io.lookup)
  private val othersWait = others.map(_.valid).reduce(_ || _)
  private val othersWent = RegInit(true.B)
  private val headsTurn = othersWent || !othersWait
  othersWent := !headsTurn
  private val headLooks = headsTurn && headStarts
  private val readsLook = !headsTurn && reads.io.lookup.valid
  private val counting = Module(new RegionFilter(p))
  counting.io.lookup.valid := Mux(headsTurn, headStarts, othersWait)
  counting.io.lookup.write := Mux(headsTurn, !reading, !readsLook)
  counting.io.lookup.block :=
    Mux(headsTurn, header.block, Mux(readsLook, reads.io.lookup.block, writes.io.lookup.block))
  counting.io.lookup.entry := Mux(
    headsTurn,
    Mux(reading, reads.io.free, writes.io.free),
    Mux(readsLook, reads.io.lookup.entry, writes.io.lookup.entry)
  )
  private val isFresh = headsTurn || Mux(readsLook, reads.io.lookup.fresh, writes.io.lookup.fresh)
  io.events.counter.hit := counters.io.hit && isFresh
  io.events.counter.miss := counters.io.miss && isFresh
  counters.io.lookup.valid := counting.io.store.valid
  counters.io.lookup.write := counting.io.lookup.write
  counters.io.lookup.block := counting.io.lookup.block
  counters.io.lookup.entry := counting.io.lookup.entry
  counting.io.store.answer := counters.io.lookup.answer
  for ((inner, outer) <- counters.io.hint.zip(io.hint)) { inner := outer }
  for ((keystream, counter) <- io.keystream.expected.zip(counters.io.expected)) { keystream := counter }
  counting.io.store.result := counters.io.result
  for ((inner, outer) <- counting.io.write.zip(io.regionWrite)) { inner := outer }
  private val refused = 0.U.asTypeOf(new LookupAnswer)
  reads.io.lookup.granted := readsLook
  reads.io.lookup.answer := counting.io.lookup.answer
  writes.io.lookup.granted := !headsTurn && !readsLook
  writes.io.lookup.answer := counting.io.lookup.answer

  // Requests to memory
  private val arbiter = Module(new MemoryArbiter(p.memory, 5))
  private val initializer = if (p.initialisesCounters) Some(Module(new MetadataInitializer(p)).io) else None
  private val register =
    if (initializer.isEmpty && p.counterMemoryIds > 0)
      Some(Module(new CounterRequests(new MemoryRequest(p.memory), p.cachesCounters)).io)
    else None
  for (port <- register) {
    port.in <> counters.io.memory.request
    port.flushing := counters.io.flushing
  }
  private val (counterRequest, holdsFlush, holdsRequest) = initializer
    .map(i => (i.memory.request, i.flushing, i.busy))
    .orElse(register.map(r => (r.out, r.left, r.out.valid)))
    .getOrElse((counters.io.memory.request, false.B, false.B))
  io.memory.request <> arbiter.io.out
  arbiter.io.in(0) <> counterRequest
  private val headIssue = arbiter.io.in(1)
  // The fetch of its counter, which comes here in the next cycle, goes first: the keystream waits for it
  private val fetches = counters.io.memory.request.valid && !counters.io.memory.request.bits.write
  headIssue.valid := headStarts && reading && !(headLooks && fetches)
  headIssue.bits := ReadUnit.memoryRequest(p, MemoryRequestHeader(p.core, reads.io.take.bits.request), reads.io.free)
  arbiter.io.in(2) <> reads.io.issue
  // A stream of writes would keep the verifier from its tags until it stands still for want of them
  arbiter.io.in(3) <> verifier.io.memory.request
  arbiter.io.in(4) <> writes.io.issue
  for ((unit, here) <- Seq((reads.io.taken, reading), (writes.io.taken, !reading))) {
    unit.lookup := Mux(headLooks && here, counting.io.lookup.answer, refused)
    unit.issued := headIssue.valid && headIssue.ready
  }

  // Responses from memory, by identifier
  private val response = io.memory.response
  private val toReads = response.bits.id < p.reads.U
  private val toWrites = !toReads && response.bits.id < p.entries.U
  private val toVerifier = response.bits.id >= p.verifierIds.U
  private val destinations = Seq(
    (reads.io.memory, toReads),
    (writes.io.memory, toWrites),
    (initializer.fold(counters.io.memory)(_.memory).response, !toReads && !toWrites && !toVerifier),
    (verifier.io.memory.response, toVerifier)
  )
  for ((port, here) <- destinations) {
    port.valid := response.valid && here
    port.bits := response.bits
  }
  response.ready := Mux1H(destinations.map { case (port, here) => (here, port.ready) })

  // Responses to the client: beats of reads, and after each read's last an acknowledgement if one waits
  private val lastOut = Burst.lastBeat(reads.io.client.bits.size, p.core)
  private val (firstOut, _, _) = Burst.track(reads.io.client.valid && reads.io.client.ready, lastOut)
  private val writesTurn = RegInit(false.B)
  private val writeOut = writes.io.client.valid && firstOut && (writesTurn || !reads.io.client.valid)
  io.client.response.valid := reads.io.client.valid || writeOut
  io.client.response.bits := Mux(writeOut, writes.io.client.bits, reads.io.client.bits)
  reads.io.client.ready := io.client.response.ready && !writeOut
  writes.io.client.ready := io.client.response.ready && writeOut
  when(io.client.response.valid && io.client.response.ready) { writesTurn := !writeOut }

  // Keystream: reads, whose beats may be coming, before writes; but a stream of reads may take all that the cipher makes, so a write goes before
  // the eighth read
  private val writesPassed = RegInit(0.U(3.W))
  private val readGoes = reads.io.job.valid && !(writes.io.job.valid && writesPassed.andR)
  io.keystream.job.valid := reads.io.job.valid || writes.io.job.valid
  io.keystream.job.bits := Mux(readGoes, reads.io.job.bits, writes.io.job.bits)
  reads.io.job.ready := io.keystream.job.ready && readGoes
  writes.io.job.ready := io.keystream.job.ready && !readGoes
  when(io.keystream.job.valid && io.keystream.job.ready) {
    writesPassed := Mux(readGoes && writes.io.job.valid, writesPassed + 1.U, 0.U)
  }
  io.keystream.ahead := Mux(reads.io.ahead.valid, reads.io.ahead, writes.io.ahead)
  for (unit <- Seq(reads.io.events, writes.io.events)) {
    unit.retry := counters.io.retry
    unit.result := counting.io.result
    unit.plain := counting.io.plain
    unit.pending := counters.io.pending
    unit.failed := counters.io.failed
    unit.keystream := io.keystream.keystream
    unit.verdict := verifier.io.verdict
  }
  for (((port, fromReads), fromWrites) <- io.keystream.buffer.zip(reads.io.buffer).zip(writes.io.buffer)) {
    fromReads.entry := port.entry
    fromReads.aesBlock := port.aesBlock
    fromWrites.entry := port.entry
    fromWrites.aesBlock := port.aesBlock
    port.data := Mux(port.entry < p.reads.U, fromReads.data, fromWrites.data)
  }

  private val delayed = if (p.postedWrites) Some(Module(new FlushAfterWrites(p.writes)).io) else None
  for (port <- delayed) {
    port.command := io.flush
    port.posted := writes.io.posted
    port.done := writes.io.done | writes.io.keyless
  }
  private val flush = delayed.fold(io.flush)(_.flush)
  // A page that is being re-encrypted has all its counters before the flush of counters ends; its last data and tags come later
  private val flushesVerifier = Wire(Bool())
  private val flushes = if (p.countersReencrypt) {
    val page = Module(new FlushAfterWrites(p.writes)).io
    page.posted := writes.io.internal
    page.done := (~writes.io.internal).asUInt | writes.io.done
    val counterLevel = LevelFlush.Level(counters.io.flush, counters.io.flushing)
    val pageLevel = LevelFlush.Level(page.command, page.waits)
    LevelFlush(flush, Seq(counterLevel, pageLevel, LevelFlush.Level(flushesVerifier, verifier.io.flushing)))
  } else {
    counters.io.flush := flush
    flushesVerifier := flush
    counters.io.flushing
  }
  for (port <- initializer) {
    port.counters <> counters.io.memory
    port.flush := flush
    port.halted := io.halted
    port.countersFlushing := counters.io.flushing
    val othersWait = arbiter.io.in.tail.map(_.valid).reduce(_ || _)
    val otherGoes = io.memory.request.valid && io.memory.request.ready && !counterRequest.valid
    port.othersServed := !othersWait || otherGoes
  }
  io.initialised := initializer.fold(true.B)(_.ready)
  counters.io.imageBlocks := io.imageBlocks
  counters.io.hashKeys := io.hashKeys
  counters.io.reencrypted := io.reencrypted
  io.reencrypt <> counters.io.reencrypt
  io.spare := reads.io.spare && writes.io.spare
  counters.io.keys.usable := io.keys.usable
  io.keys.wanted := counters.io.keys.wanted
  io.rekeying := counters.io.rekeying
  io.hold := counters.io.hold
  for ((port, user) <- io.cipher.zip(counters.io.cipher ++ verifier.io.cipher)) { port <> user }

  // Verification
  reads.io.imageBlocks := io.imageBlocks
  reads.io.hashKeys := io.hashKeys
  writes.io.hashKeys := io.hashKeys
  verifier.io.taken(0).valid := headTaken && reading
  verifier.io.taken(0).bits.entry := reads.io.free
  verifier.io.taken(0).bits.block := header.block
  verifier.io.taken(0).bits.takeOnly := isWrite && p.takesOldValues.B
  verifier.io.taken(
    1
  ).valid := counting.io.lookup.valid && counting.io.lookup.write && counting.io.lookup.answer.accepted
  verifier.io.taken(1).bits.entry := counting.io.lookup.entry
  verifier.io.taken(1).bits.block := counting.io.lookup.block
  verifier.io.taken(1).bits.takeOnly := false.B
  verifier.io.mayLook := Cat(writes.io.mayLook, reads.io.mayLook)
  verifier.io.result := counters.io.result
  verifier.io.digest(0) <> reads.io.digest
  verifier.io.digest(1) <> writes.io.digest
  verifier.io.hashKeys := io.hashKeys
  verifier.io.imageBlocks := io.imageBlocks
  verifier.io.check := io.check
  verifier.io.touched := io.touched
  io.touch <> verifier.io.touch
  private val fence =
    if (p.verifies && !p.blocking && !p.takesOldValues) Some(Module(new VerificationFence(p)).io) else None
  verifier.io.fence := fence.fold(false.B)(_.fence)
  for (port <- fence) {
    port.check := io.check
    port.reads := reads.io.inFlight
    port.counters := counters.io.pending
    port.fenced := verifier.io.fenced
  }
  io.checking := fence.fold(verifier.io.checking)(_.waits)
  io.flushing := delayed.fold(false.B)(_.waits) || flushes || verifier.io.flushing || holdsFlush
  io.busy := io.inFlight || io.flushing || counters.io.busy || verifier.io.busy || io.checking || holdsRequest
  io.unverified := counters.io.unverified || verifier.io.unverified || (p.verifies.B && reads.io.inFlight.orR)

  private val late = new LateVerdicts(p, reads.io, counters.io.pending, verifier.io.late)
  for ((outer, inner) <- io.owner.zip(reads.io.owner)) { outer <> inner }

  // A hash tree goes from one key to the next when all memory does; other structures under keys need no change of their own
  private val change =
    if (p.layout.shape.leaves == TreeLeaves.TagLines) Some(Module(new TreeKeyChange(p.writes)).io) else None
  for (c <- change) {
    c.rekeying := counters.io.rekeying
    c.ending := counters.io.keys.zeroize.valid
    c.writing := writes.io.inFlight
    c.written := writes.io.done
    c.flushing := verifier.io.flushing
    c.trying := verifier.io.treeUsesPreviousKey
    c.usable := io.keys.usable
  }
  verifier.io.treeKeys := change.fold(TreeKeys.one)(_.keys)
  verifier.io.flush := flushesVerifier || change.fold(false.B)(_.flush)
  io.keys.zeroize.valid := change.fold(counters.io.keys.zeroize.valid)(_.mayZeroize)
  io.keys.zeroize.bits := counters.io.keys.zeroize.bits

  // Alarm priority: the verifier's, then a lost write, then a lost key, then a refused zero write, then the counter store's, then a late verdict, then a wrong flag
  private val lost = change.fold(false.B)(_.lost)
  private val writeLost = writes.io.lost.valid || writes.io.keyless.orR
  private val lostBlock = Mux(writes.io.lost.valid, writes.io.lost.bits, writes.io.keylessBlock)
  private val found = verifier.io.alarm =/= AlarmCause.none.U
  private val unzeroed = initializer.fold(false.B)(_.refused)
  private val countersFail = counters.io.alarm =/= AlarmCause.none.U
  private val alarms = Seq(
    (found, verifier.io.alarm, verifier.io.alarmAddress),
    (writeLost, AlarmCause.metadataError.U, lostBlock << p.core.blockOffsetBits),
    (lost, AlarmCause.metadataError.U, p.layout.tagBase.U),
    (unzeroed, AlarmCause.metadataError.U, p.layout.counterBase.U),
    (countersFail, counters.io.alarm, counters.io.alarmAddress),
    (late.isLate, AlarmCause.lateVerdict.U, late.address),
    (reads.io.faulty, AlarmCause.chipFault.U, 0.U)
  )
  io.alarm := MuxCase(AlarmCause.none.U, alarms.map { case (on, cause, _) => on -> cause })
  io.alarmAddress := MuxCase(counters.io.alarmAddress, alarms.map { case (on, _, address) => on -> address })

  io.events.steered := counters.io.steered.getOrElse(false.B)
  io.events.ignoredHint := counters.io.ignored.getOrElse(false.B)
  io.events.tag.hit := verifier.io.hit
  io.events.tag.miss := verifier.io.miss
  io.events.node.hit := counters.io.nodeHit || verifier.io.nodeHit
  io.events.node.miss := counters.io.nodeMiss || verifier.io.nodeMiss
  io.events.verified := verifier.io.verdict.valid && verifier.io.verdict.bits.ok
  io.events.zeroes := initializer.fold(false.B)(_.zeroes)
  io.events.joined := enters && joins && isWrite
  io.events.forwarded := enters && joins && !isWrite
  io.events.partial := headTaken && isPartial && !p.isInternal(head.bits.id)
}

object TransactionCore {

  /** Cycles for which a transaction may be passed by; far above a transaction's duration, because the remedy costs throughput. */
  val starvationLimit = 1024
}
