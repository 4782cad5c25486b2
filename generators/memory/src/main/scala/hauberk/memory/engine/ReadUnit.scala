package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, InTurn, MemoryRequest, MemoryRequestHeader}
import hauberk.memory.common.{Geometry, KeySlot}
import hauberk.memory.mode._
import hauberk.memory.integrity.{BlockDigest, BlockHasher}

/** The reads in flight. Of a block's bytes and their keystream, whichever comes first waits: if the keystream is there, beats pass straight through
  * with no cycle added; else they are buffered, so the memory channel cannot deadlock on an outstanding counter fetch. A read of
  * a block that is being written waits for the write.
  *
  * A read that belongs to a write gives its beats to the write, or discards them if the write needs none.
  *
  * With integrity, a read fetches its whole block, which is hashed as it comes, and stays until the verifier has judged it: before the first
  * beat leaves (blocking, and pages with an owner), or beside it (speculative). A block that memory refuses is not judged, unless a beat of it has left before.
  */
class ReadUnit(p: Geometry) extends Module {
  val io = IO(new ReadUnitIO(p))
  private val r = p.reads
  private val indexBits = math.max(1, log2Ceil(r))
  private val beats = p.core.blockBeats
  private val beatBits = p.core.beatIndexBits

  private def flags(init: Boolean) = RegInit(VecInit(Seq.fill(r)(init.B)))
  private def fields[T <: Data](t: T) = Reg(Vec(r, t))
  private val valid = flags(false)
  private val waitFor = fields(UInt(p.writes.W))
  private val request = fields(new MemoryRequestHeader(p.core))
  private val decision = p.faults.flags
  private def decisions = RegInit(VecInit(Seq.fill(r)(decision.clear)))
  private val needIssue, needKeystream, noCounter, late, sent, hasCounter, hashed = flags(false)
  private val denied, judged = decisions
  private val released = flags(false) // a beat has left, not denied
  private val forWrite, merges = fields(Bool())
  private val target = fields(UInt(p.writeIndexBits.W))
  private val counter = fields(UInt(p.counterBits.W))
  private val key = fields(UInt(KeySlot.width.W))
  private val direct, plain = fields(Bool())
  private val zero = fields(decision.register)
  private def is(decided: Vec[UInt], i: UInt): Bool = decision.isSet(decided(i), safe = true)
  private def isWrong(i: UInt): Bool = Seq(denied, judged, zero).map(is => decision.faulty(is(i))).reduce(_ || _)
  private val arrived = fields(UInt(p.aesBlocks.W)) // of the keystream, a bit an AES block
  private val restsOn = fields(UInt(p.counterFetches.W))
  private val received = fields(UInt((beatBits + 1).W))

  private val buffer = new BlockBuffer(p, r)
  private val lookups = new PendingLookups(r)

  private val (whole, verifies, speculates) = (p.wholeBlocks, p.verifies, p.speculates)
  private val blocks = verifies && p.blocking
  private val owners = new OwnedReads(p, io.owner)
  import owners.waits
  private val waitsForTree = owners.some && p.guardsCounters
  private def needsAll(i: UInt): Bool = p.needsData(direct(i)) && !plain(i)
  private def firstBeat(h: MemoryRequestHeader): UInt = h.firstBeat
  // A transfer is aligned to its size: its beats need no adder, which would be on the path from memory to the client
  private def beatOf(h: MemoryRequestHeader, count: UInt): UInt = (firstBeat(h) | count)(beatBits - 1, 0)
  private def isIn(entry: UInt): Bool = !p.isWrite(entry)
  private def index(entry: UInt): UInt = entry(indexBits - 1, 0)

  // Take
  private val freeIndex = PriorityEncoder(valid.map(v => !v))
  io.free := freeIndex
  // Room is kept for a re-encryption, which those that are here may be waiting for
  private val isInternal = p.isInternal(io.take.bits.request.id)
  io.spare := PopCount(valid) < (if (p.reencrypts) r - 1 else r).U
  io.take.ready := io.spare || (isInternal && !valid.asUInt.andR)
  private val takes = io.take.valid && io.take.ready

  owners.take(takes, freeIndex, io.block)

  // Look up and issue what entry could not
  io.lookup.write := false.B
  lookups.ask(io.lookup, i => valid(i) && !waitFor(i).orR, io.events.retry) { index =>
    io.lookup.block := request(index).block
    io.lookup.entry := index
  }
  private val wantsIssue = (0 until r).map(i => valid(i) && needIssue(i) && !waitFor(i).orR)
  private val issueIndex = PriorityEncoder(wantsIssue)
  io.issue.valid := wantsIssue.reduce(_ || _)
  io.issue.bits := ReadUnit.memoryRequest(p, request(issueIndex), issueIndex)
  when(io.issue.valid && io.issue.ready) { needIssue(issueIndex) := false.B }

  // Counters and keystream
  private val result = io.events.result
  private val resultHere = result.valid && isIn(result.bits.entry)
  private val resultIndex = index(result.bits.entry)
  private val complete = (0 until r).map(i => !needsAll(i.U) || received(i) === beats.U)
  private val wantsJob = (0 until r).map(i => valid(i) && needKeystream(i) && complete(i))
  private val anyWants = wantsJob.reduce(_ || _)
  private val lastJob = RegInit(0.U(indexBits.W))
  private val jobIndex = InTurn(wantsJob, lastJob)
  // A counter that has just come goes straight to the keystream generator, if no other read waits for it
  private val getsKeystream = resultHere && !result.bits.denied && !io.events.plain
  private val straight = getsKeystream && !p.needsData(result.bits.direct) && !anyWants
  private val jobOf = Mux(straight, resultIndex, jobIndex)
  private val jobRequest = request(jobOf)
  io.job.valid := straight || anyWants
  io.job.bits.entry := jobOf
  io.job.bits.write := false.B
  io.job.bits.block := jobRequest.block
  io.job.bits.counter := Mux(straight, result.bits.counter, counter(jobIndex))
  io.job.bits.key := Mux(straight, result.bits.key, key(jobIndex))
  io.job.bits.direct := Mux(straight, result.bits.direct, direct(jobIndex))
  io.job.bits.first := (if (whole) 0.U else buffer.aesBlockOf(firstBeat(jobRequest)))
  io.job.bits.last := (if (whole) (p.aesBlocks - 1).U
                       else buffer.aesBlockOf(firstBeat(jobRequest) + jobRequest.lastBeat))
  when(resultHere) {
    counter(resultIndex) := result.bits.counter
    key(resultIndex) := result.bits.key
    direct(resultIndex) := result.bits.direct
    // A block outside the image that was never written reads as zero
    zero(resultIndex) := decision(
      verifies.B && result.bits.counter === 0.U && request(resultIndex).block >= io.imageBlocks
    )
    hasCounter(resultIndex) := !result.bits.denied
    judged(resultIndex) := decision(result.bits.denied || !verifies.B)
    noCounter(resultIndex) := result.bits.denied
    needKeystream(resultIndex) := getsKeystream
    plain(resultIndex) := io.events.plain
  }
  io.ahead.valid := getsKeystream && p.needsData(result.bits.direct)
  io.ahead.bits.entry := result.bits.entry
  io.ahead.bits.block := request(resultIndex).block
  io.ahead.bits.key := result.bits.key
  when(io.job.valid && io.job.ready) {
    needKeystream(jobOf) := false.B
    lastJob := jobOf
  }
  private val keystream = io.events.keystream
  private val keystreamHere = keystream.valid && isIn(keystream.bits.entry)
  when(keystreamHere) {
    buffer.putKeystream(index(keystream.bits.entry), keystream.bits.aesBlock, keystream.bits.bits)
    arrived(index(keystream.bits.entry)) := arrived(index(keystream.bits.entry)) | UIntToOH(
      keystream.bits.aesBlock,
      p.aesBlocks
    )
  }
  // A read without a counter, or of plaintext, gets no keystream; every other waits for all of its keystream, so that none finds the entry reused
  private def hasKeystream(entry: UInt, aesBlock: UInt): Bool =
    noCounter(entry) || plain(entry) || comesNow(entry, aesBlock) ||
      Mux(needsAll(entry), arrived(entry).andR, (arrived(entry) >> aesBlock)(0))
  // An expected pad is made while memory works and comes with its data or a little later: a register would cost every such read a cycle
  private def comesNow(entry: UInt, aesBlock: UInt): Bool =
    (p.expectedPads > 0).B && keystreamHere && index(
      keystream.bits.entry
    ) === entry && keystream.bits.aesBlock === aesBlock
  private def keystreamOf(entry: UInt, beat: UInt): UInt = {
    val kept = buffer.keystreamOf(entry, beat)
    if (p.expectedPads > 0)
      Mux(comesNow(entry, buffer.aesBlockOf(beat)), buffer.partOf(keystream.bits.bits, beat), kept)
    else kept
  }

  // Beats from memory
  private val from = index(io.memory.bits.id)
  private val fromHeader = request(from)
  private val lastFromMemory = if (whole) (beats - 1).U(beatBits.W) else fromHeader.lastBeat
  private val memoryFires = io.memory.valid && io.memory.ready
  private val (isFirst, _, beatCount) = Burst.track(memoryFires, lastFromMemory)
  private val beatFromMemory = if (whole) beatCount else beatOf(fromHeader, beatCount)

  // Waiting reads go first; a burst, once begun, is finished
  private val draining = RegInit(false.B)
  private val drained = Reg(UInt(indexBits.W))
  private val passing = RegInit(false.B)
  // A read of a part goes when the last beat of its block is there, so that none finds the entry reused; the verdict sees to that, if there is one
  private def isPart(i: Int): Bool = (whole && !verifies).B && request(i).size =/= p.core.blockOffsetBits.U
  private val ripe = (0 until r).map { i =>
    val begun = if (whole) received(i) > firstBeat(request(i)) else received(i) =/= 0.U
    val ready = begun && hasKeystream(i.U, buffer.aesBlockOf(firstBeat(request(i)))) &&
      Mux(needsAll(i.U) || waits(i.U) || isPart(i), received(i) === beats.U, true.B)
    val proved = if (owners.some) !waits(i.U) || (is(judged, i.U) && (!waitsForTree.B || !restsOn(i).orR)) else true.B
    valid(i) && late(i) && !sent(i) && ready && proved && (!merges(i) || (io.mergeable >> target(i))(0))
  }
  private val drainStart = !draining && !passing && ripe.reduce(_ || _)
  private val drainNow = draining || drainStart
  // The one whose beats go out, but in the cycle in which another is found ripe: then that one, of which a beat is there, with its keystream
  private val current = Mux(draining, drained, from)
  private val out = Mux(drainStart, PriorityEncoder(ripe), current)
  private val outHeader = request(out)
  private val leaves = Wire(Bool())
  private val (_, outLast, outCount) = Burst.track(leaves, outHeader.lastBeat)
  private val outBeat = beatOf(outHeader, outCount)
  private val currentBeat = beatOf(request(current), outCount)
  private val currentHasKeystream = hasKeystream(current, buffer.aesBlockOf(currentBeat))
  private val currentReceived = (if (whole) currentBeat else outCount) < received(current)

  private val all = if (whole) fromHeader.size === p.core.blockOffsetBits.U else true.B
  private val isUnhindered = !late(from) && !waits(from) && !needsAll(from)
  private val straightThrough = io.memory.valid && !blocks.B && !drainNow && Mux(
    isFirst,
    all && isUnhindered && hasKeystream(from, buffer.aesBlockOf(firstBeat(fromHeader))),
    passing
  )
  private val toBuffer = io.memory.valid && !straightThrough && !passing
  io.memory.ready := toBuffer || (straightThrough && currentHasKeystream && io.client.ready)
  when(toBuffer) { late(from) := true.B }
  // Beats to be hashed are kept, even when they pass straight through
  when(if (verifies) memoryFires else toBuffer) {
    buffer.putBeat(from, beatFromMemory, io.memory.bits.data)
    received(from) := received(from) + 1.U
  }
  // Denied to the last beat once denied: a partial write looks at the last beat
  when(memoryFires && io.memory.bits.denied) { denied(from) := decision.set }

  private val isDenied = noCounter(out) || is(denied, out) || isWrong(out) || (!drainNow && io.memory.bits.denied)
  private val offers = drainStart || (currentHasKeystream && Mux(draining, currentReceived, straightThrough))
  io.client.valid := offers && !forWrite(out)
  io.client.bits.write := false.B
  io.client.bits.id := outHeader.id
  io.client.bits.size := outHeader.size
  io.client.bits.denied := isDenied
  io.client.bits.data := Mux(
    isDenied || is(zero, out),
    0.U,
    Mux(drainNow, buffer.beat(out, outBeat), io.memory.bits.data) ^ Mux(
      plain(out),
      0.U,
      keystreamOf(out, outBeat)
    )
  )
  io.merge.valid := offers && merges(out)
  io.merge.bits.target := target(out)
  io.merge.bits.beat := outBeat
  io.merge.bits.data := io.client.bits.data
  io.merge.bits.last := outLast
  io.merge.bits.denied := isDenied
  leaves := offers && (forWrite(out) || io.client.ready)
  when(leaves) {
    draining := drainNow && !outLast
    passing := !drainNow && !outLast
    drained := out
  }
  if (speculates) { when(leaves && !forWrite(out) && !isDenied) { released(out) := true.B } }
  private val sends = Mux(leaves && outLast, UIntToOH(out, r), 0.U(r.W))

  // Verify
  private val pass = if (verifies) Some(Module(new BlockHasher(p, r, 0))) else None
  private val overPlaintext = p.overPlaintext
  io.digest.valid := false.B
  io.digest.bits := 0.U.asTypeOf(new BlockDigest(p))
  for (pass <- pass) {
    // A line that waits for its verdict is hashed as its beats come, a cycle before they can be read from the buffer
    def beatComes(i: UInt, beat: UInt) =
      (blocks && !overPlaintext).B && memoryFires && from === i && beatFromMemory === beat
    def readable(i: UInt, beat: UInt) = beatComes(i, beat) ||
      (received(i) > beat && (if (overPlaintext) hasKeystream(i, buffer.aesBlockOf(beat)) else true.B))
    val at = pass.io.index
    pass.io.candidates := VecInit((0 until r).map { i =>
      valid(i) && hasCounter(i) && !hashed(i) && readable(i.U, 0.U(beatBits.W))
    }).asUInt
    pass.io.available := readable(at, pass.io.beat)
    val isComing = beatComes(at, pass.io.beat)
    val stored = Mux(isComing, io.memory.bits.data, buffer.beat(at, pass.io.beat))
    pass.io.data := (if (overPlaintext) Mux(is(zero, at), 0.U, stored ^ buffer.keystreamOf(at, pass.io.beat))
                     else stored)
    pass.io.block := request(at).block
    pass.io.keys := io.hashKeys(key(at))
    // Bytes that a client has are verified, even if memory then refuses the rest of the block
    pass.io.refused := (is(denied, at) || (isComing && io.memory.bits.denied)) && !released(at)
    when(pass.io.done) { hashed(at) := true.B }
    io.digest.valid := pass.io.digest.valid
    io.digest.bits := pass.io.digest.bits
    pass.io.digest.ready := io.digest.ready
  }
  private val verdict = io.events.verdict
  private val judges = Mux(verdict.valid && isIn(verdict.bits.entry), UIntToOH(index(verdict.bits.entry), r), 0.U(r.W))
  for (i <- 0 until r) {
    when(judges(i)) {
      judged(i) := decision.set
      if (owners.some) { when(!verdict.bits.ok && waits(i.U)) { denied(i) := decision.set } }
    }
    when(sends(i)) { sent(i) := true.B }
    when(isWrong(i.U)) { denied(i) := decision.set }
  }
  // A verdict is on a block under its counter. That the counter is the last one, the tree says, which works beside
  if (waitsForTree) {
    for (i <- 0 until r) {
      when(io.events.failed && restsOn(i).orR && waits(i.U)) { denied(i) := decision.set }
      restsOn(i) := restsOn(i) & io.events.pending
    }
    when(resultHere) { restsOn(resultIndex) := io.events.pending }
  }
  private val finishes = VecInit((0 until r).map { i =>
    // A read of a part may be sent before all keystream of its block is made, and one that is zero may be judged before
    val keystreamWhole = noCounter(i) || plain(i) || (if (whole) arrived(i).andR else true.B)
    // One that got no counter is judged before its block has come, all of which comes whatever is asked of it
    val allCome = if (verifies) received(i) === beats.U else true.B
    // After a fault it is answered, denied, but does not end: the verifier may still have it
    val isJudged = if (verifies) decision.isSet(judged(i), safe = false) || judges(i) else true.B
    valid(i) && (sent(i) || sends(i)) && !owners.isUnknown(i) && keystreamWhole && allCome && isJudged
  }).asUInt
  for (i <- 0 until r) { when(finishes(i)) { valid(i) := false.B } }
  io.done := finishes
  io.faulty := (0 until r).map(i => valid(i) && isWrong(i.U)).reduce(_ || _)

  // Old bytes that a write was given are in use: it gets a tag of its own
  io.unverified := VecInit((0 until r).map { i =>
    speculates.B && valid(i) && !is(judged, i.U) && (released(i) || (merges(i) && sent(i)))
  }).asUInt
  io.lateBlock := request(PriorityEncoder(io.late)).block

  // Books
  io.inFlight := valid.asUInt
  io.waitsFor := (0 until r).map(i => Mux(valid(i), waitFor(i), 0.U)).reduce(_ | _)
  io.mayLook := VecInit((0 until r).map(i => valid(i) && !waitFor(i).orR)).asUInt
  io.matches := VecInit((0 until r).map(i => valid(i) && request(i).block === io.block)).asUInt
  for (i <- 0 until r) { waitFor(i) := waitFor(i) & (~io.othersDone).asUInt }
  when(takes) {
    valid(freeIndex) := true.B
    waitFor(freeIndex) := io.takeAfter
    request(freeIndex) := MemoryRequestHeader(p.core, io.take.bits.request)
    forWrite(freeIndex) := io.take.bits.forWrite
    merges(freeIndex) := io.take.bits.merges
    target(freeIndex) := io.take.bits.target
    lookups.begin(freeIndex, io.taken.lookup, io.events.retry)
    needIssue(freeIndex) := !io.taken.issued
    needKeystream(freeIndex) := false.B
    noCounter(freeIndex) := false.B
    // Beats for a write never pass straight through, so their transfer to the write depends on registers alone
    late(freeIndex) := io.take.bits.forWrite
    Seq(sent, hasCounter, hashed, released, direct, plain).foreach(_(freeIndex) := false.B)
    Seq(denied, judged, zero).foreach(_(freeIndex) := decision.clear)
    arrived(freeIndex) := 0.U
    received(freeIndex) := 0.U
  }

  io.buffer.foreach(port => buffer.serve(port, index(port.entry)))
}

/** The memory request of a read, which does not depend on the unit's state. */
object ReadUnit {

  /** A read's request to memory: itself, or its whole block if the mode needs all of it. */
  def memoryRequest(p: Geometry, header: MemoryRequestHeader, entry: UInt): MemoryRequest = {
    val out = Wire(new MemoryRequest(p.memory))
    out.write := false.B
    out.partial := false.B
    out.address := (if (p.wholeBlocks) header.block << p.core.blockOffsetBits else header.address)
    out.size := (if (p.wholeBlocks) p.core.blockOffsetBits.U else header.size)
    out.id := entry
    out.mask := ((BigInt(1) << p.core.beatBytes) - 1).U
    out.data := 0.U
    out.corrupt := false.B
    out
  }
}
