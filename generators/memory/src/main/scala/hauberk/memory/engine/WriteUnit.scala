package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, InTurn, Lanes, MemoryRequest, MemoryRequestHeader, MemoryResponse}
import hauberk.memory.common.{Geometry, KeySlot}
import hauberk.memory.mode.KeystreamGenerator
import hauberk.memory.integrity.{BlockDigest, BlockHasher}

/** Ports of the [[WriteUnit]]. */
class WriteUnitIO(val p: Geometry) extends TransactionUnitIO(p, p.writes, p.reads) {

  /** Beats of writes, and reads that join. The other fields belong to the first beat of each. */
  val take = Flipped(Decoupled(new MemoryRequest(p.core)))
  val takeAfterReads = Input(UInt(p.reads.W))
  val takeAfterWrites = Input(UInt(p.writes.W))

  /** The beat offered is the first of its write. */
  val first = Output(Bool())

  /** The write offered writes part of its block: it waits for the block's old bytes from a read that `takeAfterReads` includes. */
  val partial = Input(Bool())
  val mergeable = Output(UInt(p.writes.W))

  /** The access offered on `take`, a read too, joins a write in flight; the write offered takes its old bytes from there: [[JoinedAccesses]]. */
  val joins, extendsWrite = Output(Bool())

  /** The answer to one that joined is not taken yet. */
  val answersJoined = Output(Bool())

  /** There is room beside what is kept for a re-encryption. */
  val spare = Output(Bool())

  /** Writes that reads in flight wait for. */
  val waitedFor = Input(UInt(p.writes.W))
  val merge = Flipped(Valid(new MergeBeat(p)))

  /** Partial writes of clients that have not asked for their counters are denied: their reads belong to a zeroized key. No write is posted. */
  val abandon = Input(Bool())

  /** Slots with a key. */
  val usable = Input(Vec(KeySlot.count, Bool()))

  /** Writes that are acknowledged and not yet in memory, but for those that lost their key. */
  val posted = Output(UInt(p.writes.W))

  /** Writes of re-encryption, but for those that lost their key. */
  val internal = Output(UInt(p.writes.W))

  /** Writes that are acknowledged and can no longer come to memory, for want of their key; and the block of one of them. */
  val keyless = Output(UInt(p.writes.W))
  val keylessBlock = Output(UInt(p.core.blockIndexBits.W))

  /** Memory refused a write that was acknowledged, or the old bytes of its block; or there is no counter for it. With its block. */
  val lost = Valid(UInt(p.core.blockIndexBits.W))
}

/** The writes in flight. A write is taken beat by beat, gets a fresh counter, and leaves as one burst of ciphertext when all of its keystream is
  * made, poisoned as a whole if one of its beats is; it is acknowledged when memory has acknowledged it. Posted, a client's write is acknowledged
  * when its beats are in and its counter is fixed, or without waiting for the counter (`postsAtOnce`); afterwards nobody can be told of
  * a failure. It waits for older reads and writes
  * of its block only. Without a counter it is denied and never reaches memory. With integrity it is hashed, and stays until
  * its tag is recorded.
  *
  * A write of part of a block waits for a read of the block, and takes from it the bytes that it does not write; from then on it is a write
  * of the whole, so that a block is always encrypted as a whole under a fresh counter. If the read fails, the write is denied.
  *
  * Accesses may join a write in flight ([[JoinedAccesses]]): writes as long as its keystream is not there, so that all leave as one under one
  * counter, and reads as long as it is in flight.
  */
class WriteUnit(p: Geometry) extends Module {
  val io = IO(new WriteUnitIO(p))
  private val r = p.reads
  private val w = p.writes
  private val indexBits = math.max(1, log2Ceil(w))
  private val beats = p.core.blockBeats
  private val beatBits = p.core.beatIndexBits

  private def flags(init: Boolean) = RegInit(VecInit(Seq.fill(w)(init.B)))
  private def fields[T <: Data](t: T) = Reg(Vec(w, t))
  private val valid = flags(false)
  // Bytes that a partial write writes, by beat; and that the others have not come
  private val written = fields(Vec(math.max(2, beats), UInt(p.core.beatBytes.W)))
  private val awaitsMerge = flags(false)
  private val waitReads = fields(UInt(r.W))
  private val waitWrites = fields(UInt(w.W))
  private val request = fields(new MemoryRequestHeader(p.core))
  private val filled, needKeystream, noCounter, sent, acknowledged, denied = flags(false)
  private val hasCounter, hashed, judged, answered = flags(false)
  private val counter = fields(UInt(p.counterBits.W))
  private val key = fields(UInt(KeySlot.width.W))
  private val direct, plain, corrupt, partial = fields(Bool())
  private val arrived = fields(UInt(p.aesBlocks.W)) // of the keystream, a bit an AES block

  private val buffer = new BlockBuffer(p, w)
  private val lookups = new PendingLookups(w)
  private val verifies = p.verifies
  private def needsAll(i: UInt): Bool = p.needsData(direct(i))
  private def isIn(entry: UInt): Bool = p.isWrite(entry)
  private def index(entry: UInt): UInt = (entry - r.U)(indexBits - 1, 0)
  private def waits(i: Int): Bool = waitReads(i).orR || waitWrites(i).orR

  // Take
  private val freeIndex = PriorityEncoder(valid.map(v => !v))
  // Posted at once, a write rests on the key that it will probably get
  private def keyOf(i: Int): UInt = if (p.postsAtOnce) Mux(hasCounter(i), key(i), KeySlot.dynamic.U) else key(i)
  private val isKeyless = (0 until w).map(i => io.abandon || (!plain(i) && !io.usable(keyOf(i))))
  private val waitedFor = io.waitedFor | (0 until w).map(i => Mux(valid(i), waitWrites(i), 0.U)).reduce(_ | _)
  // The youngest access of the block offered, if it is a write that has been acknowledged and will come to memory
  private val youngest = (0 until w).map { i =>
    valid(i) && request(i).block === io.block && !waitedFor(i) && answered(i) && !corrupt(i) && !noCounter(
      i
    ) && !isKeyless(i)
  }
  private val open = VecInit((0 until w).map(i => youngest(i) && !plain(i) && !arrived(i).orR)).asUInt
  private val complete = VecInit((0 until w).map(i => youngest(i) && !awaitsMerge(i))).asUInt
  private val joined = new JoinedAccesses(p, io.take.bits, open, complete)
  io.joins := joined.joins
  io.extendsWrite := joined.extendsWrite
  io.answersJoined := joined.busy
  private val filling = Reg(UInt(indexBits.W))
  private val takes = io.take.valid && io.take.ready
  private val taken = MemoryRequestHeader(p.core, io.take.bits)
  private val (isFirst, isLast, takenBeat) = Burst.track(takes, taken.lastBeat)
  private val place = (taken.firstBeat + takenBeat)(beatBits - 1, 0)
  private val into = Mux(isFirst, Mux(joined.joins, joined.at, freeIndex), filling)
  io.first := isFirst
  io.free := r.U +& freeIndex
  // Room is kept for a re-encryption, which those that are here may be waiting for
  private val isInternal = p.isInternal(io.take.bits.id)
  io.spare := PopCount(valid) < (if (p.reencrypts) w - 1 else w).U
  private val room = io.spare || (isInternal && !valid.asUInt.andR)
  // One beat a cycle goes into the buffer
  io.take.ready := !io.merge.valid && (!isFirst || room || joined.joins)
  private val takesWrite = takes && io.take.bits.write
  when(takesWrite) {
    filling := into
    when(isFirst && !joined.joins) { written(into).foreach(_ := 0.U) }
    written(into)(place) := io.take.bits.mask | Mux(joined.joins, written(into)(place), 0.U)
    corrupt(into) := io.take.bits.corrupt || (corrupt(into) && !isFirst)
  }

  // Merge: the block's old bytes that are not written
  private val merging = io.merge.bits.target
  private val mine =
    buffer.beat(if (p.combinesWrites) Mux(io.merge.valid, merging, joined.at) else merging, io.merge.bits.beat)
  private val mineBytes = written(merging)(io.merge.bits.beat)
  private val merged = Lanes.merge(mineBytes, mine, io.merge.bits.data)
  when(takesWrite || io.merge.valid) {
    buffer.putBeat(
      Mux(io.merge.valid, merging, into),
      Mux(io.merge.valid, io.merge.bits.beat, place),
      Mux(io.merge.valid, merged, joined.bytes(mine))
    )
  }
  when(takes && joined.joins) { joined.take(mine) }
  io.mergeable := (valid.asUInt & filled.asUInt)
  when(io.merge.valid && io.merge.bits.last) {
    awaitsMerge(merging) := false.B
    when(io.merge.bits.denied) { noCounter(merging) := true.B }
  }
  for (i <- 0 until w) {
    when(io.abandon && valid(i) && partial(i) && !p.isInternal(request(i).id) && lookups.needs(i)) {
      noCounter(i) := true.B
    }
  }

  // Look up counters that entry could not
  io.lookup.write := true.B
  private def mayAsk(i: Int): Bool =
    !partial(i) || (!awaitsMerge(i) && !noCounter(i) && (!io.abandon || p.isInternal(request(i).id)))
  lookups.ask(io.lookup, i => valid(i) && !waits(i) && mayAsk(i), io.events.retry) { index =>
    io.lookup.block := request(index).block
    io.lookup.entry := r.U +& index
  }

  // Counters and keystream
  private val result = io.events.result
  private val resultIndex = index(result.bits.entry)
  private val resultHere = result.valid && isIn(result.bits.entry)
  when(resultHere) {
    counter(resultIndex) := result.bits.counter
    key(resultIndex) := result.bits.key
    direct(resultIndex) := result.bits.direct
    noCounter(resultIndex) := result.bits.denied
    hasCounter(resultIndex) := !result.bits.denied
    needKeystream(resultIndex) := !result.bits.denied && !io.events.plain
    plain(resultIndex) := io.events.plain
  }
  private val wantsJob = (0 until w).map(i => valid(i) && needKeystream(i) && (!needsAll(i.U) || filled(i)))
  private val lastJob = RegInit(0.U(indexBits.W))
  private val jobIndex = InTurn(wantsJob, lastJob)
  io.job.valid := wantsJob.reduce(_ || _)
  io.job.bits.entry := r.U +& jobIndex
  io.job.bits.write := true.B
  io.job.bits.block := request(jobIndex).block
  io.job.bits.counter := counter(jobIndex)
  io.job.bits.key := key(jobIndex)
  io.job.bits.direct := direct(jobIndex)
  io.job.bits.first := 0.U
  io.job.bits.last := (p.aesBlocks - 1).U
  io.ahead.valid := resultHere && !result.bits.denied && !io.events.plain && p.needsData(result.bits.direct)
  io.ahead.bits.entry := result.bits.entry
  io.ahead.bits.block := request(resultIndex).block
  io.ahead.bits.key := result.bits.key
  when(io.job.valid && io.job.ready) {
    needKeystream(jobIndex) := false.B
    lastJob := jobIndex
  }
  private val keystream = io.events.keystream
  when(keystream.valid && isIn(keystream.bits.entry)) {
    val i = index(keystream.bits.entry)
    buffer.putKeystream(i, keystream.bits.aesBlock, keystream.bits.bits)
    arrived(i) := arrived(i) | UIntToOH(keystream.bits.aesBlock, p.aesBlocks)
  }

  // Send: a burst, once begun, is finished
  // A pipeline keeps ahead of the beats; a slower cipher, which also makes the keystream of reads, finishes first, so as not to hold up the channel
  private val keepsAhead = !p.needsWholeBlocks && p.cipher.blocksPerCycle >= 1.0
  private val ripe =
    (0 until w).map(i =>
      valid(i) && filled(i) && !sent(i) && (plain(i) || (if (keepsAhead) arrived(i)(0) else arrived(i).andR))
    )
  private val sending = RegInit(false.B)
  private val sendingIndex = RegInit(0.U(indexBits.W))
  // In turn: new writes take the places of old ones, and would for ever go before those in other places
  private val first = InTurn(ripe, sendingIndex)
  private val out = Mux(sending, sendingIndex, first)
  private val issues = io.issue.valid && io.issue.ready
  private val (_, isLastOut, outBeat) = Burst.track(issues, (beats - 1).U(beatBits.W))
  io.issue.valid := (sending || ripe.reduce(_ || _)) && (plain(out) || (arrived(out) >> buffer.aesBlockOf(outBeat))(0))
  io.issue.bits.write := true.B
  io.issue.bits.partial := false.B
  io.issue.bits.address := request(out).block << p.core.blockOffsetBits
  io.issue.bits.size := p.core.blockOffsetBits.U
  io.issue.bits.id := r.U +& out
  io.issue.bits.mask := ((BigInt(1) << p.core.beatBytes) - 1).U
  io.issue.bits.corrupt := corrupt(out)
  io.issue.bits.data := buffer.beat(out, outBeat) ^ Mux(plain(out), 0.U, buffer.keystreamOf(out, outBeat))
  when(issues) {
    sending := !isLastOut
    sendingIndex := out
    when(isLastOut) { sent(out) := true.B }
  }

  // Acknowledge
  io.memory.ready := true.B
  when(io.memory.valid) {
    acknowledged(index(io.memory.bits.id)) := true.B
    denied(index(io.memory.bits.id)) := io.memory.bits.denied
  }
  private val finished =
    (0 until w).map(i =>
      valid(i) && {
        Mux(
          noCounter(i),
          filled(i) && !awaitsMerge(i),
          sent(i) && acknowledged(i) && (if (verifies) judged(i) else true.B)
        )
      }
    )
  private def isFixed(i: Int): Bool =
    if (p.postsAtOnce) !noCounter(i) else !awaitsMerge(i) && hasCounter(i)
  private def postable(i: Int): Bool =
    p.postedWrites.B && valid(i) && filled(i) && isFixed(i) && !p.isInternal(request(i).id) && !isKeyless(i)
  private val toAnswer = (0 until w).map(i => (finished(i) || postable(i)) && !answered(i))
  private val answerIndex = PriorityEncoder(toAnswer)
  io.client.valid := toAnswer.reduce(_ || _)
  io.client.bits.write := true.B
  io.client.bits.id := request(answerIndex).id
  io.client.bits.size := request(answerIndex).size
  io.client.bits.data := 0.U
  io.client.bits.denied := noCounter(answerIndex) || denied(answerIndex)
  joined.before(io.client)
  private val answers = io.client.valid && io.client.ready && !joined.busy
  private val nowAnswered = answered.asUInt | Mux(answers, UIntToOH(answerIndex, w), 0.U)
  // Without posted writes, what is answered is finished
  io.done := (if (p.postedWrites) VecInit(finished).asUInt & nowAnswered else nowAnswered)
  for (i <- 0 until w) {
    when(io.done(i)) { valid(i) := false.B }
    if (p.postedWrites) when(answers && answerIndex === i.U) { answered(i) := true.B }
  }

  // Nobody waits for these any more
  private val awaited = if (p.postedWrites) valid.asUInt & nowAnswered & (~io.done).asUInt else 0.U(w.W)
  io.keyless := awaited & VecInit(isKeyless).asUInt
  io.keylessBlock := request(PriorityEncoder(io.keyless)).block
  io.posted := awaited & (~io.keyless).asUInt
  io.internal := VecInit((0 until w).map { i =>
    valid(i) && p.isInternal(request(i).id) && !(hasCounter(i) && isKeyless(i))
  }).asUInt
  private val refused = io.memory.valid && io.memory.bits.denied && awaited(index(io.memory.bits.id))
  // Acknowledged, and then without a counter or its old bytes
  private val unfixed =
    if (p.postsAtOnce) VecInit((0 until w).map(i => valid(i) && answered(i) && noCounter(i))).asUInt else 0.U(w.W)
  io.lost.valid := refused || unfixed.orR
  io.lost.bits := request(Mux(refused, index(io.memory.bits.id), PriorityEncoder(unfixed))).block

  // Hash, and wait for the tag to be recorded
  private val pass = if (verifies) Some(Module(new BlockHasher(p, w, r))) else None
  private val overPlaintext = p.overPlaintext
  io.digest.valid := false.B
  io.digest.bits := 0.U.asTypeOf(new BlockDigest(p))
  for (pass <- pass) {
    val at = pass.io.index
    pass.io.candidates := VecInit((0 until w).map { i =>
      valid(i) && filled(i) && hasCounter(i) && !hashed(i) && (if (overPlaintext) true.B else arrived(i).andR)
    }).asUInt
    pass.io.available := true.B
    val plain = buffer.beat(at, pass.io.beat)
    pass.io.data := (if (overPlaintext) plain else plain ^ buffer.keystreamOf(at, pass.io.beat))
    pass.io.block := request(at).block
    pass.io.keys := io.hashKeys(key(at))
    pass.io.refused := false.B
    when(pass.io.done) { hashed(at) := true.B }
    io.digest.valid := pass.io.digest.valid
    io.digest.bits := pass.io.digest.bits
    pass.io.digest.ready := io.digest.ready
  }
  private val verdict = io.events.verdict
  when(verdict.valid && isIn(verdict.bits.entry)) { judged(index(verdict.bits.entry)) := true.B }

  // Books
  io.inFlight := valid.asUInt
  io.mayLook := VecInit((0 until w).map(i => valid(i) && !waits(i))).asUInt
  io.matches := VecInit((0 until w).map(i => valid(i) && request(i).block === io.block)).asUInt
  for (i <- 0 until w) {
    waitReads(i) := waitReads(i) & (~io.othersDone).asUInt
    waitWrites(i) := waitWrites(i) & (~io.done).asUInt
  }
  when(takes && isFirst && !joined.joins) {
    valid(freeIndex) := true.B
    waitReads(freeIndex) := io.takeAfterReads
    waitWrites(freeIndex) := io.takeAfterWrites
    request(freeIndex) := taken
    partial(freeIndex) := io.partial
    awaitsMerge(freeIndex) := io.partial
    lookups.begin(freeIndex, io.taken.lookup, io.events.retry)
    Seq(filled, needKeystream, noCounter, sent, acknowledged, denied).foreach(_(freeIndex) := false.B)
    Seq(hasCounter, hashed, judged, answered, direct, plain).foreach(_(freeIndex) := false.B)
    arrived(freeIndex) := 0.U
  }
  when(takesWrite && isLast) { filled(into) := true.B }

  io.buffer.foreach(port => buffer.serve(port, index(port.entry)))
}
