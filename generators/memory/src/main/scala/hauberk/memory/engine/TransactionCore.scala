package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryArbiter, MemoryPort, MemoryRequestHeader}
import hauberk.memory.layout.TreeLeaves
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot}
import hauberk.memory.cipher.{CipherPort, HashKeys}
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.tree.TreeKeyChange
import hauberk.memory.mode.MaskPort
import hauberk.memory.counter.CounterStoreKeys
import hauberk.memory.integrity.Verdict
import hauberk.memory.region.{RegionFilter, RegionTable, RegionWrite}

/** What the statistics count. */
class CoreEvents extends Bundle {
  val hit = Bool()
  val miss = Bool()
  val tagHit = Bool()
  val tagMiss = Bool()
  val nodeHit = Bool()
  val nodeMiss = Bool()
  val verified = Bool()

  /** A client's partial write was taken. */
  val partial = Bool()
}

/** Ports of the [[TransactionCore]]. */
class TransactionCoreIO(val p: Geometry) extends Bundle {

  /** Reads and writes of any size, of the data region only. */
  val client = Flipped(new MemoryPort(p.core))
  val memory = new MemoryPort(p.memory)
  val masks = Flipped(new MaskPort(p))
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val check = Input(Bool())
  val checking = Output(Bool())
  val extent = Input(UInt((p.core.blockIndexBits + 1).W))
  val regionWrite =
    if (p.regions.entries == 0) None
    else Some(Flipped(Valid(new RegionWrite(p.regions, RegionTable.granuleBits(p.regions, p.core)))))

  /** The counter store's ports to the cipher, then the verifier's. */
  val cipher = Vec(p.cipherUsers - 1, new CipherPort(p))
  val hashKeys = Input(Vec(KeySlot.count, new HashKeys))
  val keys = new CounterStoreKeys

  /** Blocks to be re-encrypted, and blocks to be read. */
  val reencrypt = Decoupled(UInt(p.core.blockIndexBits.W))
  val reencrypted = Input(Bool())
  val touch = Decoupled(UInt(p.core.blockIndexBits.W))
  val touched = Input(Bool())
  val rekeying = Output(Bool())

  /** No write may begin but those of blocks being re-encrypted. */
  val hold = Output(Bool())
  val alarm = Output(UInt(AlarmCause.width.W))
  val alarmAddress = Output(UInt(p.core.addressBits.W))
  val events = Output(new CoreEvents)

  /** Something was used that is not verified yet. */
  val unverified = Output(Bool())

  /** Partial writes that have not asked for their counters are denied. */
  val abandon = Input(Bool())

  /** A transaction is in flight. */
  val busy = Output(Bool())
}

/** Transactions on protected blocks: joins reads, writes, counters and masks. Accesses to one block take effect in the order of their
  * requests; accesses to different blocks do not wait for each other.
  *
  * A read whose counter is cached, and whose block nobody is writing, goes to memory in the cycle it comes; its counter is looked up beside.
  */
class TransactionCore(p: Geometry, parts: EngineParts) extends Module {
  val io = IO(new TransactionCoreIO(p))
  private val reads = Module(new ReadUnit(p))
  private val writes = Module(new WriteUnit(p))
  private val counters = Module(parts.counterStore())
  private val verifier = parts.verifier.map(make => Module(make()))

  // The request at the head, with what is older of its block
  private val head = io.client.request
  private val header = MemoryRequestHeader(p.core, head.bits)
  reads.io.block := header.block
  writes.io.block := header.block
  private val isWrite = head.bits.write
  // A partial write needs what its block holds, and a log takes that out before any write: then a read goes with the write's first beat
  private val isPartial = isWrite && (head.bits.partial || head.bits.size =/= p.core.blockOffsetBits.U)
  private val reading = !isWrite || (writes.io.first && (isPartial || p.takesOldValues.B))
  private val afterReads = reads.io.matches & (~reads.io.done).asUInt
  private val afterWrites = writes.io.matches & (~writes.io.done).asUInt
  private val clear = !writes.io.matches.orR && (reading || !reads.io.matches.orR)

  // Everything below prefers some transactions to others, so that an endless stream of new ones could pass an old one by for ever. Hence,
  // when one has been passed by for `starvationLimit` cycles, new ones wait until all that were in flight with it are done.
  private val inFlight = Cat(writes.io.inFlight, reads.io.inFlight)
  io.busy := inFlight.orR
  private val done = Cat(writes.io.done, reads.io.done)
  private val elders = RegInit(0.U(p.entries.W))
  private val age = RegInit(0.U(log2Ceil(TransactionCore.starvationLimit + 1).W))
  private val impatient = age === TransactionCore.starvationLimit.U
  elders := Mux(elders.orR, elders, inFlight) & (~done).asUInt
  age := Mux(elders.orR, Mux(impatient, age, age + 1.U), 0.U)
  private val open = !impatient || (isWrite && !writes.io.first) || p.isInternal(head.bits.id)

  private val room = (!reading || reads.io.take.ready) && (!isWrite || writes.io.take.ready)
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
  writes.io.take.valid := enters && isWrite
  writes.io.take.bits := head.bits
  writes.io.partial := isPartial
  writes.io.takeAfterReads := afterReads | Mux(reading, UIntToOH(reads.io.free, p.reads), 0.U)
  writes.io.takeAfterWrites := afterWrites
  writes.io.abandon := io.abandon
  writes.io.merge := reads.io.merge
  reads.io.mergeable := writes.io.mergeable
  reads.io.othersDone := writes.io.done
  writes.io.othersDone := reads.io.done
  private val headTaken = enters && (!isWrite || writes.io.first)
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
  io.events.hit := counters.io.hit && isFresh
  io.events.miss := counters.io.miss && isFresh
  counters.io.lookup.valid := counting.io.store.valid
  counters.io.lookup.write := counting.io.lookup.write
  counters.io.lookup.block := counting.io.lookup.block
  counters.io.lookup.entry := counting.io.lookup.entry
  counting.io.store.answer := counters.io.lookup.answer
  counting.io.store.result := counters.io.result
  for ((inner, outer) <- counting.io.write.zip(io.regionWrite)) { inner := outer }
  private val refused = 0.U.asTypeOf(new LookupAnswer)
  reads.io.lookup.granted := readsLook
  reads.io.lookup.answer := counting.io.lookup.answer
  writes.io.lookup.granted := !headsTurn && !readsLook
  writes.io.lookup.answer := counting.io.lookup.answer

  // Requests to memory
  private val arbiter = Module(new MemoryArbiter(p.memory, if (verifier.isEmpty) 4 else 5))
  io.memory.request <> arbiter.io.out
  arbiter.io.in(0) <> counters.io.memory.request
  private val headIssue = arbiter.io.in(1)
  headIssue.valid := headStarts && reading
  headIssue.bits := ReadUnit.memoryRequest(p, MemoryRequestHeader(p.core, reads.io.take.bits.request), reads.io.free)
  arbiter.io.in(2) <> reads.io.issue
  // A stream of writes would keep the verifier from its tags until it stands still for want of them
  private val lowest = if (verifier.isEmpty) 3 else 4
  arbiter.io.in(lowest) <> writes.io.issue
  for ((unit, here) <- Seq((reads.io.taken, reading), (writes.io.taken, !reading))) {
    unit.lookup := Mux(headLooks && here, counting.io.lookup.answer, refused)
    unit.issued := headIssue.valid && headIssue.ready
  }

  // Responses from memory, by identifier
  private val response = io.memory.response
  private val toReads = response.bits.id < p.reads.U
  private val toWrites = !toReads && response.bits.id < p.entries.U
  private val toVerifier = (if (verifier.isEmpty) false.B else response.bits.id >= p.verifierIds.U)
  private val destinations = Seq(
    (reads.io.memory, toReads),
    (writes.io.memory, toWrites),
    (counters.io.memory.response, !toReads && !toWrites && !toVerifier)
  ) ++ verifier.map(v => (v.io.memory.response, toVerifier))
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

  // Masks: reads, whose beats may be coming, before writes
  io.masks.job.valid := reads.io.job.valid || writes.io.job.valid
  io.masks.job.bits := Mux(reads.io.job.valid, reads.io.job.bits, writes.io.job.bits)
  reads.io.job.ready := io.masks.job.ready
  writes.io.job.ready := io.masks.job.ready && !reads.io.job.valid
  io.masks.ahead := Mux(reads.io.ahead.valid, reads.io.ahead, writes.io.ahead)
  for (unit <- Seq(reads.io.events, writes.io.events)) {
    unit.retry := counters.io.retry
    unit.result := counting.io.result
    unit.plain := counting.io.plain
    unit.pending := counters.io.pending
    unit.failed := counters.io.failed
    unit.mask := io.masks.mask
    unit.verdict.valid := false.B
    unit.verdict.bits := 0.U.asTypeOf(new Verdict(p))
  }
  for (((port, fromReads), fromWrites) <- io.masks.buffer.zip(reads.io.buffer).zip(writes.io.buffer)) {
    fromReads.entry := port.entry
    fromReads.chunk := port.chunk
    fromWrites.entry := port.entry
    fromWrites.chunk := port.chunk
    port.data := Mux(port.entry < p.reads.U, fromReads.data, fromWrites.data)
  }

  counters.io.flush := io.flush
  counters.io.extent := io.extent
  counters.io.hashKeys := io.hashKeys
  counters.io.reencrypted := io.reencrypted
  io.reencrypt <> counters.io.reencrypt
  counters.io.keys.usable := io.keys.usable
  io.keys.wanted := counters.io.keys.wanted
  io.keys.retired := counters.io.keys.retired
  io.rekeying := counters.io.rekeying
  io.hold := counters.io.hold
  private val users = counters.io.cipher ++ verifier.toSeq.flatMap(_.io.cipher)
  for ((port, user) <- io.cipher.zip(users)) { port <> user }

  // Verification
  reads.io.extent := io.extent
  reads.io.hashKeys := io.hashKeys
  writes.io.hashKeys := io.hashKeys
  reads.io.digest.ready := true.B
  writes.io.digest.ready := true.B
  io.flushing := counters.io.flushing
  io.alarm := counters.io.alarm
  io.alarmAddress := counters.io.alarmAddress
  io.unverified := counters.io.unverified
  io.checking := false.B
  io.touch.valid := false.B
  io.touch.bits := 0.U
  io.events.tagHit := false.B
  io.events.tagMiss := false.B
  io.events.nodeHit := counters.io.nodeHit
  io.events.nodeMiss := counters.io.nodeMiss
  io.events.verified := false.B
  io.events.partial := headTaken && isPartial && !p.isInternal(head.bits.id)
  private val lost = WireDefault(false.B)
  for (v <- verifier) {
    v.io.taken(0).valid := headTaken && reading
    v.io.taken(0).bits.entry := reads.io.free
    v.io.taken(0).bits.block := header.block
    v.io.taken(0).bits.takeOnly := isWrite && p.takesOldValues.B
    v.io.taken(1).valid := counting.io.lookup.valid && counting.io.lookup.write && counting.io.lookup.answer.accepted
    v.io.taken(1).bits.entry := counting.io.lookup.entry
    v.io.taken(1).bits.block := counting.io.lookup.block
    v.io.taken(1).bits.takeOnly := false.B
    v.io.mayLook := Cat(writes.io.mayLook, reads.io.mayLook)
    v.io.result := counters.io.result
    v.io.digest(0) <> reads.io.digest
    v.io.digest(1) <> writes.io.digest
    for (unit <- Seq(reads.io.events, writes.io.events)) { unit.verdict := v.io.verdict }
    v.io.hashKeys := io.hashKeys
    v.io.extent := io.extent
    v.io.flush := io.flush
    v.io.treeKeys.current := KeySlot.dynamic.U
    v.io.treeKeys.changing := false.B
    v.io.treeKeys.previous := KeySlot.dynamic.U
    if (p.layout.shape.leaves == TreeLeaves.TagLines) {
      val change = Module(new TreeKeyChange(p.writes))
      change.io.rekeying := counters.io.rekeying
      change.io.retires := counters.io.keys.retired.valid
      change.io.writing := writes.io.inFlight
      change.io.written := writes.io.done
      change.io.flushing := v.io.flushing
      change.io.trying := v.io.treeUsesPreviousKey
      v.io.treeKeys := change.io.keys
      v.io.flush := io.flush || change.io.flush
      io.keys.retired.valid := change.io.mayRetire
      change.io.usable := io.keys.usable
      lost := change.io.lost
    }
    when(lost) {
      io.alarm := AlarmCause.metadataError.U
      io.alarmAddress := p.layout.tagBase.U
    }
    v.io.check := io.check
    v.io.touched := io.touched
    io.touch <> v.io.touch
    arbiter.io.in(3) <> v.io.memory.request
    io.flushing := counters.io.flushing || v.io.flushing
    io.checking := v.io.checking
    when(v.io.alarm =/= AlarmCause.none.U) {
      io.alarm := v.io.alarm
      io.alarmAddress := v.io.alarmAddress
    }
    io.unverified := counters.io.unverified || v.io.unverified || reads.io.inFlight.orR
    io.events.tagHit := v.io.hit
    io.events.tagMiss := v.io.miss
    io.events.nodeHit := counters.io.nodeHit || v.io.nodeHit
    io.events.nodeMiss := counters.io.nodeMiss || v.io.nodeMiss
    io.events.verified := v.io.verdict.valid && v.io.verdict.bits.ok
  }
}

object TransactionCore {

  /** Cycles for which a transaction may be passed by; far above what a transaction takes, for the remedy costs throughput. */
  val starvationLimit = 1024
}
