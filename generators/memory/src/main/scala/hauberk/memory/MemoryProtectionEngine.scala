package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryRequest, OutstandingRequests}
import hauberk.memory.common.{AlarmCause, KeySlot}
import hauberk.memory.cipher.CipherArbiter
import hauberk.memory.engine._

/** A memory protection engine: plaintext in and out at `client`, ciphertext and metadata at `memory`.
  *
  * May reorder the responses of different blocks, and those of one block where writes are posted at once; each read has the newest bytes before it. Denies, and latches in the status, what
  * comes before arming or addresses anything but data. Hides metadata altogether. A read that hits the counter cache and whose memory is
  * slower than the cipher passes with no cycle added; both directions sustain a beat per cycle.
  *
  * With `gated` it has a port `busy`, which may fall [[GatedProtectionEngine.runOn]] cycles before the last register has settled, and
  * [[MemoryProtectionEngine.apply]] adds the gate.
  */
class MemoryProtectionEngine(val p: Protection) extends Module {
  val io = IO(new EngineIO(
    p.client,
    p.memory,
    p.cipher.keyBits,
    p.regions,
    p.takesHints,
    tellsBusy = p.params.gated,
    asksOwners = p.asksOwners
  ))

  private val ingress = Module(new Ingress(p))
  private val core = Module(new TransactionCore(p, p))
  private val generator = Module(p.keystreamGenerator())
  private val cipherArbiter = Module(new CipherArbiter(p, p.cipherUsers))

  ingress.io.client <> io.client
  core.io.client <> ingress.io.core
  ingress.io.reencrypt <> core.io.reencrypt
  ingress.io.touch <> core.io.touch
  core.io.reencrypted := ingress.io.reencrypted
  ingress.io.spare := core.io.spare
  core.io.touched := ingress.io.touched
  core.io.keystream <> generator.io.port
  for (usable <- generator.io.usable) { usable := cipherArbiter.io.usable }
  for ((inner, outer) <- core.io.hint.zip(io.hint)) { inner := outer }
  for ((outer, inner) <- io.owner.zip(core.io.owner)) { outer <> inner }
  core.io.flush := io.control.flush
  core.io.check := io.control.check
  core.io.hashKeys := cipherArbiter.io.hashKeys
  core.io.keys.usable := cipherArbiter.io.usable
  for ((client, user) <- cipherArbiter.io.clients.zip(generator.io.cipher +: core.io.cipher)) { client <> user }
  // Keystream goes first; but where a read waits for its verdict, the requests of the verdict go before its first keystream block
  cipherArbiter.io.firstYields := (if (p.verifies && p.blocking) !generator.io.begun else false.B)
  // Slots that do not exist are ignored: beyond the keys, the arbiter keeps the tweak keys it derived from them
  cipherArbiter.io.keyWrite := io.keyWrite
  cipherArbiter.io.keyWrite.valid := io.keyWrite.valid && io.keyWrite.bits.slot < KeySlot.count.U
  cipherArbiter.io.keyZeroize := io.keyZeroize
  cipherArbiter.io.keyZeroize.valid := io.keyZeroize.valid && io.keyZeroize.bits < KeySlot.count.U
  when(!io.keyZeroize.valid && core.io.keys.zeroize.valid) { cipherArbiter.io.keyZeroize := core.io.keys.zeroize }
  io.keyWanted := core.io.keys.wanted

  // Neither queue adds a cycle; they end the paths from memory that is not ready, and to it from a client that is not, at two registers
  private val outstanding = Module(new OutstandingRequests(p.memory, p.memoryIds))
  outstanding.io.unit <> core.io.memory
  private val incoming = Queue(io.memory.response, 2, pipe = false, flow = true)
  outstanding.io.memory.response <> incoming
  private val queue = Module(new Queue(new MemoryRequest(p.memory), 2, pipe = false, flow = true))
  queue.io.enq <> outstanding.io.memory.request
  io.memory.request <> queue.io.deq
  // Memory may acknowledge a burst from its first beat on: a flush is complete when the queued beats have left as well
  private val leaving = RegInit(0.U(2.W))
  when(io.control.flush || core.io.flushing) { leaving := 2.U }
    .elsewhen(queue.io.count === 0.U) { leaving := 0.U }
    .elsewhen(leaving =/= 0.U && queue.io.deq.valid && queue.io.deq.ready) { leaving := leaving - 1.U }

  // Arming is one-way
  private val dynamics = Seq(KeySlot.dynamic, KeySlot.spare).map(cipherArbiter.io.usable(_))
  private val keyed = cipherArbiter.io.usable(KeySlot.static) && dynamics.reduce(
    if (p.regions.contexts == 1) (a: Bool, b: Bool) => a || b else (a: Bool, b: Bool) => a && b
  )
  private val flags = p.faults.flags
  private val armed = RegInit(flags.clear)
  private val halted = RegInit(flags.clear)
  private val isArmed = flags.isSet(armed, safe = false)
  private val isHalted = flags.isSet(halted, safe = true)
  private val isFaulty = flags.faulty(armed) || flags.faulty(halted) || cipherArbiter.io.faulty
  private val imageBlocks = RegInit(0.U(io.control.imageBlocks.getWidth.W))
  when(io.control.arm && core.io.initialised && keyed) {
    armed := flags.set
    when(!isArmed) { imageBlocks := io.control.imageBlocks }
  }
  core.io.imageBlocks := imageBlocks
  for ((inner, outer) <- core.io.regionWrite.zip(io.regionWrite)) {
    inner := outer
    inner.valid := outer.valid && !flags.isSet(armed, safe = true)
  }

  // A transaction in flight when a key is lost may be under no key or under two: it is denied, also under the next key
  private val orphaned = RegInit(false.B)
  private val orphans = orphaned && core.io.inFlight
  orphaned := orphans || (core.io.inFlight && !keyed)
  core.io.abandon := orphaned || !keyed
  ingress.io.denies := orphans || !keyed
  ingress.io.open := isArmed && !isHalted && !io.control.halt && keyed && !orphans
  // Nothing waits for a re-encryption that cannot go on: it goes in, and is denied
  ingress.io.hold := core.io.hold && keyed && !isHalted

  core.io.halted := isHalted

  // The first alarm is kept, until one halts: its cause and address are what matters then
  private val alarm = RegInit(false.B)
  private val cause = RegInit(AlarmCause.none.U(AlarmCause.width.W))
  private val address = RegInit(0.U(p.client.addressBits.W))
  private val fault = Wire(new Violation(p.client.addressBits))
  private val lost = ingress.io.lost.valid && !isHalted
  private val stops = core.io.alarm =/= AlarmCause.none.U || lost || isFaulty
  fault.cause := Mux(lost, AlarmCause.metadataError.U, core.io.alarm)
  fault.address := Mux(lost, ingress.io.lost.bits << p.core.blockOffsetBits, core.io.alarmAddress)
  when(isFaulty) { fault.cause := AlarmCause.chipFault.U }
  when(!stops) { fault := ingress.io.violation.bits }
  when(Mux(stops, !flags.isSet(halted, safe = false), ingress.io.violation.valid && !alarm)) {
    alarm := true.B
    cause := fault.cause
    address := fault.address
  }
  when(stops) { halted := flags.set }

  io.status.initialised := core.io.initialised
  io.status.usable := cipherArbiter.io.usable
  io.status.armed := isArmed
  io.status.flushing := core.io.flushing || leaving =/= 0.U
  io.status.halted := isHalted
  io.status.unverified := core.io.unverified
  io.status.rekeying := core.io.rekeying
  io.status.checking := core.io.checking
  io.status.alarm := alarm
  io.status.cause := cause
  io.status.address := address

  private val units = Seq(core.io.busy, ingress.io.busy, generator.io.busy, cipherArbiter.io.busy)
  private val queued = incoming.valid || queue.io.count =/= 0.U || leaving =/= 0.U
  io.busy.foreach(_ := queued || units.reduce(_ || _))

  private def count(event: Bool): UInt = {
    val counter = RegInit(0.U(64.W))
    when(event) { counter := counter + 1.U }
    counter
  }
  private val sent = core.io.memory.request
  private val (firstBeat, _, _) = Burst.track(
    sent.valid && sent.ready,
    Mux(sent.bits.write, Burst.lastBeat(sent.bits.size, p.memory), 0.U)
  )
  private val starts = sent.valid && sent.ready && firstBeat
  private val isData = sent.bits.address < p.layout.dataBytes.U
  io.statistics.hits := count(core.io.events.counter.hit)
  io.statistics.misses := count(core.io.events.counter.miss)
  io.statistics.pads := count(cipherArbiter.io.started)
  io.statistics.dataReads := count(starts && isData && !sent.bits.write)
  io.statistics.dataWrites := count(starts && isData && sent.bits.write)
  io.statistics.metadataReads := count(starts && !isData && !sent.bits.write)
  io.statistics.metadataWrites := count(starts && !isData && sent.bits.write && !core.io.events.zeroes)
  io.statistics.stallCycles := count(io.client.request.valid && !io.client.request.ready)
  io.statistics.partialWrites := count(core.io.events.partial)
  io.statistics.tagHits := count(core.io.events.tag.hit)
  io.statistics.tagMisses := count(core.io.events.tag.miss)
  io.statistics.nodeHits := count(core.io.events.node.hit)
  io.statistics.nodeMisses := count(core.io.events.node.miss)
  io.statistics.verified := count(core.io.events.verified)
  io.statistics.reencrypted := count(ingress.io.reencrypted.valid)
  io.statistics.rightPads := count(generator.io.right)
  io.statistics.wrongPads := count(generator.io.wrong)
  io.statistics.steeredWrites := count(core.io.events.steered)
  io.statistics.ignoredHints := count(core.io.events.ignoredHint)
  io.statistics.joinedWrites := count(core.io.events.joined)
  io.statistics.forwardedReads := count(core.io.events.forwarded)
}

/** Makes engines. */
object MemoryProtectionEngine {

  /** The ports of a new engine, gated or not. */
  def apply(p: Protection): EngineIO =
    if (p.params.gated) Module(new GatedProtectionEngine(p)).io else Module(new MemoryProtectionEngine(p)).io
}
