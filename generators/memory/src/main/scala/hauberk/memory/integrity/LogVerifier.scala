package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryJoin
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot}
import hauberk.memory.cache.Fence
import hauberk.memory.cipher.PolynomialHash

/** The log hash of AEGIS section 5 (Clarke et al., ASIACRYPT'03; Suh et al., MICRO'03): every access takes what it finds of a block out of a
  * log and puts what it leaves into it, with a version that no other element has; a check has every block taken once more and compares what was
  * put with what was taken. Memory that ever returned anything but the last written value cannot make the two equal.
  *
  * Needs of the engine: a read exchanges versions; with each write, a read marked `takeOnly` of the same block takes the old value, and nothing
  * of that block comes between the two; accesses to one block exchange versions in the order in which they see the block's bytes
  * (`mayLook`); the digest of a block that reads as zero is that of zeros. Elements of a block are under the key slot the block is under.
  *
  * A version is a count within an epoch, and the epoch's parity on top; 0 means never touched: nothing is taken, and the bytes are the
  * package's, which its tag proves, or zero. A check begins a new epoch, with a log of its own, and is over when a sweep has moved every
  * block into it. So traffic goes on meanwhile. A new epoch begins when all reads that were in flight have exchanged their versions, so that a check
  * covers everything that was read before it was asked for. A version that was not given out yet, or is of an epoch gone by, is found out at once.
  *
  * When three quarters of the versions of an epoch are given out, a check begins by itself; when all are, accesses are not verified any more,
  * and the alarm is a counter overflow.
  */
class LogVerifier(p: Geometry, log: LogHash) extends Verifier(p) {
  private val n = p.entries
  private val countBits = log.versionBits - 1
  require(
    (BigInt(1) << countBits) >= p.layout.dataBlocks * 2,
    s"versionBits is ${log.versionBits}: a check gives up to ${p.layout.dataBlocks} versions to blocks, and as many must be left for the accesses " +
      "meanwhile; use more versionBits"
  )
  private val perLine = p.layout.shape.versionsPerLine
  private val indexBits = log2Ceil(perLine)
  private def flags = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val active, mayAsk, fetched, blocked, counted, digestThere, needVersion, exchanged = flags
  private val needTake, needPut, needCheck, bad = flags
  private val use = Reg(Vec(n, UInt(VersionUse.width.W)))
  private val block = Reg(Vec(n, UInt(p.core.blockIndexBits.W)))
  private val slot = Reg(Vec(n, UInt(KeySlot.width.W)))
  private val unwritten, inImage = Reg(Vec(n, Bool())) // counter 0; and brought by the package
  private val readDigests, writeDigests = Mem(n, UInt(128.W))
  private val olds, news = Mem(n, UInt(VersionStore.versionBits.W))
  withoutNodes()

  private val store = Module(new VersionStore(p, log.versions, p.verifierIds))
  private val imageTags = Module(new ImageTagCheck(p, log.tags, p.verifierIds + log.versions.ids))
  private val sums = Module(new LogAccumulators(p))
  private val sweep = Module(new LogSweep(p))
  io.cipher(0) <> imageTags.io.cipher
  io.cipher(1) <> sums.io.cipher
  MemoryJoin(
    io.memory,
    Seq((store.io.memory, p.verifierIds), (imageTags.io.memory, p.verifierIds + log.versions.ids))
  )
  private val broken = RegInit(false.B)

  // Older reads of the block whose old value is to be taken: they put what is then to be taken
  private val r = p.reads
  private val after = Reg(Vec(r, UInt(r.W)))
  private val activeReads = VecInit(active.take(r)).asUInt
  private val older = VecInit((0 until r).map(e => active(e) && block(e) === io.taken(0).bits.block)).asUInt
  after.foreach(a => a := a & activeReads)

  // Epochs
  private val epoch = RegInit(0.U(32.W))
  private val count = RegInit(0.U(countBits.W))
  private val waiting, checking, comparing = RegInit(false.B)
  private val earlier = Module(new Fence(n)) // what is in flight when a check is to begin
  private val parity = epoch(0)
  private val exhausted = count.andR
  private val settling = earlier.io.waits
  private val settles = waiting && !settling && !checking
  private val starts = earlier.io.done
  private val fresh = Cat(parity, count + 1.U) + 0.U(VersionStore.versionBits.W)
  private def parityOf(version: UInt): Bool = version(countBits)
  private def countOf(version: UInt): UInt = version(countBits - 1, 0)
  private def isOld(version: UInt): Bool = version =/= 0.U && parityOf(version) =/= parity
  private def fits(version: UInt): Bool =
    if (log.versionBits == VersionStore.versionBits) true.B else (version >> log.versionBits) === 0.U
  private def isGiven(version: UInt): Bool =
    fits(version) && countOf(version) =/= 0.U && Mux(isOld(version), checking, countOf(version) <= count)

  /** The version as it counts in an element: no two epochs share one. */
  private def whole(version: UInt): UInt =
    Cat(Mux(parityOf(version) === parity, epoch, epoch - 1.U), countOf(version) + 0.U(32.W))

  private val (reading, writing) = (io.taken(0), io.taken(1))
  for (taken <- io.taken) {
    val e = taken.bits.entry
    when(taken.valid) {
      active(e) := true.B
      block(e) := taken.bits.block
      Seq(mayAsk, fetched, blocked, counted, digestThere, needVersion, exchanged, bad).foreach(_(e) := false.B)
    }
  }
  when(reading.valid) {
    after(reading.bits.entry(math.max(1, log2Ceil(r)) - 1, 0)) := Mux(reading.bits.takeOnly, older, 0.U)
    use(reading.bits.entry) := Mux(reading.bits.takeOnly, VersionUse.take, VersionUse.exchange)
  }
  when(writing.valid) { use(writing.bits.entry) := VersionUse.put }
  when(io.result.valid) {
    val e = io.result.bits.entry
    val none = io.result.bits.counter === 0.U
    slot(e) := io.result.bits.key
    unwritten(e) := none
    inImage(e) := none && block(e) < io.imageBlocks
    mayAsk(e) := !io.result.bits.denied
    when(io.result.bits.denied) { active(e) := false.B }
  }

  // Digests. Data that memory refused is neither taken nor put, so that its version stays
  for ((port, memory) <- io.digest.zip(Seq(readDigests, writeDigests))) {
    port.ready := true.B
    when(port.valid) {
      memory.write(port.bits.entry, Cat(port.bits.first, port.bits.second))
      digestThere(port.bits.entry) := true.B
      needVersion(port.bits.entry) := !port.bits.refused
      bad(port.bits.entry) := port.bits.refused
      exchanged(port.bits.entry) := port.bits.refused
    }
  }

  // Look-ups: for what has its digest; else to fetch the version ahead; else for the sweep
  private val wants = VecInit((0 until n).map { e =>
    needVersion(e) && !blocked(e) && io.mayLook(e) && (if (e < r) !after(e).orR else true.B)
  })
  private val ahead = VecInit((0 until n).map(e => active(e) && mayAsk(e) && !fetched(e) && !digestThere(e)))
  private val anyWants = wants.reduce(_ || _)
  private val anyAhead = ahead.reduce(_ || _)
  private val chosen = Mux(anyWants, PriorityEncoder(wants), PriorityEncoder(ahead))
  private val sweeps = !anyWants && !anyAhead
  private val lookup = store.io.lookup
  lookup.valid := anyWants || anyAhead || sweep.io.look.valid
  lookup.line := Mux(sweeps, sweep.io.look.bits, (block(chosen) >> indexBits) + 0.U(sweep.io.look.bits.getWidth.W))
  lookup.bits.use := Mux(sweeps, VersionUse.look, Mux(anyWants, use(chosen), VersionUse.prefetch))
  lookup.bits.entry := chosen
  lookup.bits.index := block(chosen)(indexBits - 1, 0)
  sweep.io.look.ready := sweeps && lookup.answer.accepted
  when(!sweeps) {
    counted(chosen) := true.B
    when(anyWants) {
      blocked(chosen) := lookup.answer.blocked && !store.io.retry
      when(lookup.answer.accepted) { needVersion(chosen) := false.B }
    }.otherwise { fetched(chosen) := true.B } // whatever became of it
  }
  when(store.io.retry) { blocked.foreach(_ := false.B) }
  io.hit := store.io.hit && !sweeps && !counted(chosen)
  io.miss := store.io.miss && !sweeps && !counted(chosen)

  // Exchange
  private val at = store.io.access.bits.entry
  private val kind = store.io.access.bits.use
  private def is(u: UInt): Bool = store.io.access.valid && kind === u
  private val reads = is(VersionUse.exchange)
  private val puts = reads || is(VersionUse.put)
  private val takes = reads || is(VersionUse.take)
  private val old = store.io.old
  private val untouched = old === 0.U
  private val wrong = takes && Mux(untouched, !unwritten(at), !isGiven(old))
  private val overflow = puts && exhausted
  store.io.fresh := Mux(exhausted, old, fresh)
  sums.io.taken.valid := takes && !untouched && !wrong
  sums.io.taken.bits := parityOf(old)
  sums.io.put.valid := puts && !exhausted
  sums.io.put.bits := parity
  when(puts || takes) {
    exchanged(at) := true.B
    olds.write(at, old)
    news.write(at, fresh)
    needTake(at) := sums.io.taken.valid
    needPut(at) := sums.io.put.valid
    needCheck(at) := reads && untouched && inImage(at)
    bad(at) := wrong || overflow
  }
  when(puts && !exhausted) { count := count + 1.U }

  // Elements, one a cycle
  private val makes = VecInit((0 until n).map(e => needTake(e) || needPut(e)))
  private val made = PriorityEncoder(makes)
  private val putting = !needTake(made)
  private val version = Mux(putting, news.read(made), olds.read(made))
  private val digest = Mux(use(made) === VersionUse.put, writeDigests.read(made), readDigests.read(made))
  private val keys = io.hashKeys(slot(made))
  private val element = sums.io.element
  element.valid := makes.reduce(_ || _)
  element.bits.first := PolynomialHash.step(digest(127, 64), whole(version), keys.first)
  element.bits.second := PolynomialHash.step(digest(63, 0), whole(version), keys.second)
  element.bits.slot := slot(made)
  element.bits.put := putting
  element.bits.parity := parityOf(version)
  when(element.valid && element.ready) {
    when(putting) { needPut(made) := false.B }.otherwise { needTake(made) := false.B }
  }

  // Package tags
  private val unproved = VecInit((0 until n).map(e => active(e) && needCheck(e)))
  private val proved = PriorityEncoder(unproved)
  private val inProof = RegInit(false.B)
  imageTags.io.hashKeys := io.hashKeys
  imageTags.io.imageBlocks := io.imageBlocks
  imageTags.io.job.valid := unproved.reduce(_ || _) && !inProof
  imageTags.io.job.bits.entry := proved
  imageTags.io.job.bits.block := block(proved)
  imageTags.io.job.bits.digest := readDigests.read(proved)(127, 64)
  when(imageTags.io.job.valid && imageTags.io.job.ready) { inProof := true.B }
  private val proof = imageTags.io.verdict
  when(proof.valid) {
    inProof := false.B
    needCheck(proof.bits.entry) := false.B
    when(!proof.bits.ok) { bad(proof.bits.entry) := true.B }
  }

  // Verdicts
  private val finished =
    VecInit((0 until n).map(e => active(e) && exchanged(e) && !needTake(e) && !needPut(e) && !needCheck(e)))
  private val ends = PriorityEncoder(finished)
  io.verdict.valid := finished.reduce(_ || _)
  io.verdict.bits.entry := ends
  io.verdict.bits.ok := !bad(ends) && !broken
  when(io.verdict.valid) { active(ends) := false.B }

  // Checks
  private val soon = count(countBits - 1) && count(countBits - 2)
  private val swept = RegInit(false.B)
  private val elders = RegInit(0.U(n.W))
  // An element of the old log that is decided upon in this cycle is not in yet
  private val over = comparing && !elders.orR && sums.io.complete(!parity) && !(takes && isOld(old))
  when(io.check || (soon && !settling && !checking)) { waiting := true.B }
  when(settles) { waiting := io.check }
  earlier.io.start := settles
  earlier.io.pending := active.asUInt
  when(starts) {
    checking := true.B
    epoch := epoch + 1.U
    count := 0.U
  }
  swept := (starts || swept) && !comparing
  sweep.io.start := starts
  private val moved = swept && sweep.io.done && !starts && !comparing
  when(moved) {
    comparing := true.B
    elders := active.asUInt
  }.otherwise { elders := elders & active.asUInt }
  when(over) {
    comparing := false.B
    checking := false.B
  }
  sums.io.clear.valid := over
  sums.io.clear.bits := !parity
  private val mismatch = over && !sums.io.equal(!parity)
  store.io.scan <> sweep.io.scan
  sweep.io.word := store.io.word
  sweep.io.seen.valid := is(VersionUse.look)
  sweep.io.seen.bits := VecInit((0 until perLine).map { i =>
    val bits = VersionStore.versionBits
    isOld(store.io.line(bits * (i + 1) - 1, bits * i))
  }).asUInt
  io.touch <> sweep.io.touch
  sweep.io.touched := io.touched
  io.checking := waiting || settling || checking
  io.busy := io.checking || store.io.busy || imageTags.io.busy || sums.io.busy || !sweep.io.done || inProof ||
    (active.asUInt | needTake.asUInt | needPut.asUInt).orR

  // The check covers reads of an older epoch during it
  private val uncovered = RegInit(false.B)
  when(reads && !(checking && isOld(old))) { uncovered := true.B }
  when(starts) { uncovered := false.B }
  io.unverified := uncovered || io.checking
  io.late := false.B // a check ends it, not a verdict
  io.fenced := io.fence

  store.io.flush := io.flush
  io.flushing := store.io.flushing
  private val refused = store.io.refused || imageTags.io.refused
  private val unprovedNow = proof.valid && !proof.bits.ok
  private val causes = Seq(
    (refused, AlarmCause.ofStore(store.io.faulty || imageTags.io.faulty), p.layout.versionBase.U),
    (mismatch, AlarmCause.logMismatch.U, p.layout.versionBase.U),
    (wrong, AlarmCause.logMismatch.U, block(at) << p.core.blockOffsetBits),
    (overflow, AlarmCause.counterOverflow.U, block(at) << p.core.blockOffsetBits),
    (unprovedNow, AlarmCause.blockMismatch.U, block(proof.bits.entry) << p.core.blockOffsetBits)
  )
  when(refused || mismatch || wrong || overflow) { broken := true.B }
  io.alarm := MuxCase(AlarmCause.none.U, causes.map { case (on, cause, _) => on -> cause })
  io.alarmAddress := MuxCase(0.U, causes.map { case (on, _, address) => on -> address })
}
