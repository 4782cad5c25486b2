package hauberk.memory.tree

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AesInput, Geometry, KeySlot}
import hauberk.memory.cipher.{CipherPort, PolynomialHasher}
import hauberk.memory.cache.{LineGuard, LineGuardIO}

/** Ports of a [[LineMacGuard]].
  *
  * @param above fetches of the level that keeps the counters of these lines
  */
class LineMacGuardIO(p: Geometry, mshrs: Int, lineBits: Int, val above: Int)
    extends LineGuardIO(p, mshrs, lineBits) {

  /** The counters of these lines; an entry is the number of a miss, or `mshrs` for the line that is sealed. */
  val counters = Flipped(new LineCounterPort(lineBits, LineMacGuard.entryBits(mshrs), above))
  val cipher = new CipherPort(p)

  /** The first hash key of [[KeySlot.dynamic]]. */
  val hashKey = Input(UInt(64.W))

  /** As in [[LineCounterPort]], of the lines guarded here. */
  val pending = Output(UInt(mshrs.W))

  /** Verification of a line failed here or above; from the cycle of the verdict until reset. */
  val failed = Output(Bool())

  /** The line that was found so, unless something above is to blame; for one cycle. */
  val mismatch = Valid(UInt(lineBits.W))
}

/** Guards lines by a MAC in their last eight bytes, under a counter that the level above keeps for each line:
  * MAC = H(payload) XOR AES_K(lineMac, engine, line, counter, level), its upper half. A pad is used for one content only, because every
  * write-back takes a fresh counter. A line whose counter is 0 was never written back: it is zero by definition, whatever memory holds, so
  * that nothing needs initialisation.
  *
  * The parent is asked in the cycle after a fetch begins, so that all levels are fetched side by side; the pad is made as soon as the
  * counter is there, verified or not; the hash takes seven cycles from the line's arrival, a line at a time. The verdict on a line
  * is given when the counter it rests on is verified. The line is released before, as soon as the counter was there to tell whether it is
  * zero: `pending` marks the results that rest on it. A sealed line is sent only when the counter in its MAC is verified: a fresh counter
  * derived from an old one would use a pad twice.
  *
  * Fails closed: once a line is found false here or above, every verdict is bad, lines are released as zeros, and what is sealed is
  * replaced by zeros, for which no counter has a MAC.
  *
  * @param level    0 for lines of block counters, 1 and up for nodes
  * @param mshrs   fetches of the cache that is guarded
  * @param lineBits width of a line number
  * @param above    fetches of the parent level
  */
class LineMacGuard(p: Geometry, level: Int, mshrs: Int, lineBits: Int, above: Int)
    extends LineGuard(p) {
  require(
    p.bank.blockBytes == 64,
    s"a line of ${p.bank.blockBytes} bytes has no room for ${LineCounters.arity} counters and a MAC: use blocks of 64 bytes"
  )
  val io = IO(new LineMacGuardIO(p, mshrs, lineBits, above))
  private val cache = io.cache

  // An entry for each miss, and one for the line that is sealed
  private val entries = mshrs + 1
  private val entryBits = LineMacGuard.entryBits(mshrs)
  private val seal = mshrs
  private def flags = RegInit(VecInit(Seq.fill(entries)(false.B)))
  private def fields(bits: Int) = Reg(Vec(entries, UInt(bits.W)))
  private val line = fields(lineBits)
  private val asks, blocked = flags // of the parent
  private val known, denied = flags
  private val counter = fields(LineCounters.counterBits)
  private val padAsked, padded = flags
  private val pad = fields(LineCounters.macBits)
  private val there, hashed = flags
  // Separate, so that fetched lines are in a memory with one write port
  private val fetchedLines = Mem(math.max(2, mshrs), UInt(512.W)) // firtool fails on a memory of one entry
  private val sealedLine = Reg(UInt(512.W))
  private def data(entry: UInt): UInt =
    Mux(entry === seal.U, sealedLine, fetchedLines.read(if (mshrs == 1) 0.U else entry(log2Ceil(mshrs) - 1, 0)))
  private val hash = fields(LineCounters.macBits)
  private val released = flags
  private val restsOn = Reg(Vec(entries, UInt(io.counters.pending.getWidth.W)))

  private val failed = RegInit(false.B)
  private val failedAbove = failed || io.counters.failed

  private def isZero(i: Int): Bool = counter(i) === 0.U
  private def begin(miss: UInt, number: UInt): Unit = {
    val i = miss.pad(entryBits)
    line(i) := number
    asks(i) := true.B
    Seq(blocked, known, denied, padAsked, padded, hashed, released).foreach(_(i) := false.B)
  }

  // The counter
  private val wantsCounter = (0 until entries).map(i => asks(i) && !blocked(i))
  private val asking = PriorityEncoder(wantsCounter)
  private val lookup = io.counters.lookup
  lookup.valid := wantsCounter.reduce(_ || _)
  lookup.write := asking === seal.U
  lookup.line := line(asking)
  lookup.entry := asking
  when(lookup.valid) {
    when(lookup.answer.accepted) { asks(asking) := false.B }
    when(lookup.answer.blocked) { blocked(asking) := true.B }
  }
  when(io.counters.retry) { blocked.foreach(_ := false.B) }
  private val result = io.counters.result
  restsOn.foreach(waits => waits := waits & io.counters.pending)
  when(result.valid) {
    known(result.bits.entry) := true.B
    denied(result.bits.entry) := result.bits.denied
    counter(result.bits.entry) := result.bits.counter
    restsOn(result.bits.entry) := io.counters.pending
  }

  // The pad
  private val wantsPad = (0 until entries).map(i => known(i) && !denied(i) && !isZero(i) && !padAsked(i))
  private val padding = PriorityEncoder(wantsPad)
  io.cipher.request.valid := wantsPad.reduce(_ || _)
  io.cipher.request.bits.block := AesInput(AesInput.lineMac, p, line(padding), counter(padding), level.U(8.W))
  io.cipher.request.bits.slot := KeySlot.dynamic.U
  io.cipher.request.bits.tweak := false.B
  io.cipher.request.bits.decrypt := false.B
  io.cipher.request.bits.tag := padding
  when(io.cipher.request.valid && io.cipher.request.ready) { padAsked(padding) := true.B }
  private val answer = io.cipher.answer
  private val answered = answer.bits.tag(entryBits - 1, 0)
  when(answer.valid) {
    padded(answered) := true.B
    pad(answered) := answer.bits.block(127, 64)
  }

  // The line, and its hash
  cache.fetched.ready := true.B
  when(cache.fetched.valid) {
    there(cache.fetched.bits.miss.pad(entryBits)) := true.B
    fetchedLines.write(cache.fetched.bits.miss, cache.fetched.bits.data)
  }
  private val wantsHash = (0 until entries).map(i => there(i) && !hashed(i) && !(known(i) && isZero(i)))
  private val hashing = RegInit(false.B)
  private val hashingEntry = Reg(UInt(entryBits.W))
  private val hashedWords = Reg(UInt(3.W))
  private val hasher = Module(new PolynomialHasher(keys = 1, words = 1))
  private val first = Mux(wantsHash(seal), seal.U, PriorityEncoder(wantsHash))
  private val current = Mux(hashing, hashingEntry, first)
  private val index = Mux(hashing, hashedWords, 0.U)
  hasher.io.step := hashing || wantsHash.reduce(_ || _)
  hasher.io.begins := !hashing
  hasher.io.start.head := 0.U
  hasher.io.words.head := LineCounters.word(data(current), index)
  hasher.io.keys.head := io.hashKey
  when(hasher.io.step) {
    val last = index === (LineCounters.payloadWords - 1).U
    hashing := !last
    hashingEntry := current
    hashedWords := index + 1.U
    when(last) {
      hashed(current) := true.B
      hash(current) := hasher.io.hashes.head
    }
  }

  // The verdict
  private def checked(i: Int): Bool =
    there(i) && known(i) && (denied(i) || isZero(i) || (padded(i) && hashed(i))) && restsOn(i) === 0.U
  private val settles = (0 until mshrs).map(i => checked(i) && released(i))
  private val settling = PriorityEncoder(settles).pad(entryBits)
  private val settled = data(settling)
  private val isBlank = counter(settling) === 0.U
  private val mac = hash(settling) ^ pad(settling)
  private val found = LineCounters.mac(settled)
  private val matches = isBlank || p.faults.comparison.confirm(mac === found, mac, found)
  private val ok = matches && !denied(settling) && !failedAbove
  cache.settled.valid := settles.reduce(_ || _)
  cache.settled.bits.miss := settling
  cache.settled.bits.ok := ok
  when(cache.settled.valid) {
    there(settling) := false.B
    known(settling) := false.B
    released(settling) := false.B
    when(hashing && hashingEntry === settling) { hashing := false.B } // it turned out to be zero
  }
  io.failed := failedAbove || (cache.settled.valid && !ok)
  failed := io.failed
  io.mismatch.valid := cache.settled.valid && !matches && !denied(settling) && !failedAbove
  io.mismatch.bits := line(settling)

  io.busy := (asks.asUInt | known.asUInt | there.asUInt).orR || hashing

  // The release
  private val releases = (0 until mshrs).map(i => there(i) && known(i) && !released(i))
  private val releasing = PriorityEncoder(releases).pad(entryBits)
  private val now = cache.released.valid
  private val usable = counter(releasing) =/= 0.U && !denied(releasing) && !failedAbove
  now := releases.reduce(_ || _)
  cache.released.bits.miss := releasing
  cache.released.bits.data := Mux(usable, data(releasing), 0.U)
  when(now) { released(releasing) := true.B }
  io.pending := VecInit((0 until mshrs).map { i =>
    (released(i) || (now && releasing === i.U)) && !(cache.settled.valid && settling === i.U)
  }).asUInt
  when(cache.opened.valid) { begin(cache.opened.bits.miss, cache.opened.bits.line) }

  // The seal
  cache.seal.ready := !there(seal)
  when(cache.seal.valid && cache.seal.ready) {
    begin(seal.U, cache.seal.bits.line)
    there(seal) := true.B
    sealedLine := cache.seal.bits.data
  }
  private val leaving = Cat(hash(seal) ^ pad(seal), LineCounters.payload(sealedLine))
  cache.sealedLine.valid := checked(seal)
  cache.sealedLine.bits := Mux(denied(seal) || failedAbove, 0.U, leaving)
  when(cache.sealedLine.valid) {
    there(seal) := false.B
    known(seal) := false.B
    when(hashing && hashingEntry === seal.U) { hashing := false.B } // it was denied
  }
}

/** The width of an entry's number. */
object LineMacGuard {

  /** Width of an entry of a guard, by the MSHRs of its cache. */
  def entryBits(mshrs: Int): Int = log2Ceil(mshrs + 1)
}
