package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot}
import hauberk.memory.port.{InTurn, MemoryRequest}

/** Pairs of counter id and value beside every block in memory ([[CompilerCounters]]). A write is answered in the cycle after its look-up, and its pair goes to
  * memory beside it; a read is answered when its pair has come from memory, and its expected pair is told in the cycle of its look-up. A look-up of a
  * block whose pair is on its way to memory waits until it is there.
  *
  * Once memory has refused a pair, or the global counter is at its end, every look-up is answered, and denied; so is one whose key is not there.
  */
class CompilerCounterStore(p: Geometry, g: CompilerCounters) extends CounterStore(p) {
  private val blockBits = p.core.blockIndexBits
  private val pairBits = CompilerCounters.pairBits
  private val pairBytes = pairBits / 8
  private val fetches = g.pairFetches
  private val updates = g.updates
  private val broken = RegInit(false.B)

  // Pairs on their way
  private def flags(n: Int) = RegInit(VecInit(Seq.fill(n)(false.B)))
  private val fetching, fetchWaits = flags(fetches)
  private val fetchEntry = Reg(Vec(fetches, UInt(p.entryBits.W)))
  private val fetchBlock = Reg(Vec(fetches, UInt(blockBits.W)))
  private val updating, updateWaits = flags(updates)
  private val updateBlock = Reg(Vec(updates, UInt(blockBits.W)))
  private val updatePair = Reg(Vec(updates, UInt(pairBits.W)))

  // Look up
  private val isUpdated =
    VecInit((0 until updates).map(i => updating(i) && updateBlock(i) === io.lookup.block)).asUInt.orR
  private val hasRoom = Mux(io.lookup.write, !updating.asUInt.andR, !fetching.asUInt.andR)
  private val accepts = io.lookup.valid && (broken || (hasRoom && !isUpdated))
  io.lookup.answer.accepted := accepts
  io.lookup.answer.blocked := io.lookup.valid && !accepts
  private val starts = accepts && !broken
  private val fetchSlot = PriorityEncoder(fetching.map(busy => !busy))
  private val updateSlot = PriorityEncoder(updating.map(busy => !busy))
  private val startsFetch = starts && !io.lookup.write
  private val startsUpdate = starts && io.lookup.write

  // In the next cycle: the pair of a write
  private val here = RegNext(accepts, false.B)
  private val (isWrite, isLate) = (RegNext(io.lookup.write), RegNext(broken))
  private val (entry, block) = (RegNext(io.lookup.entry), RegNext(io.lookup.block))
  private val slot = RegNext(updateSlot)
  private val steering = if (g.takesHints) Some(Module(new SteeredPairs(p, g)).io) else None
  for (s <- steering) {
    s.hint := io.hint.get
    s.access.valid := starts
    s.access.write := io.lookup.write
    s.access.block := io.lookup.block
  }
  private val global = RegInit(0.U(g.globalBits.W))
  private val nextGlobal = Cat(1.U(1.W), (global + 1.U) + 0.U((pairBits - 1).W))
  private val steered = steering.fold(false.B)(_.steered.valid)
  private val writesNow = here && isWrite && !isLate
  private val overflow = writesNow && !steered && global.andR && !broken
  private val pair = steering.fold(nextGlobal)(s => Mux(s.steered.valid, s.steered.bits, nextGlobal))
  private val writeDenied = isLate || broken || overflow || !io.keys.usable(KeySlot.dynamic)
  when(writesNow && !steered && !overflow) { global := global + 1.U }
  private val lastPairs = if (g.lastPairs > 0) Some(Module(new LastPairs(g.lastPairs, blockBits)).io) else None
  for (table <- lastPairs) {
    table.block := io.lookup.block
    table.written.valid := writesNow && !writeDenied
    table.written.bits.block := block
    table.written.bits.pair := pair
  }
  private def keyOf(pair: UInt): UInt =
    Mux(pair === 0.U, KeySlot.static.U(KeySlot.width.W), KeySlot.dynamic.U(KeySlot.width.W))
  for ((port, s) <- io.steered.zip(steering)) { port := s.steered.valid && !writeDenied }
  for ((port, s) <- io.ignored.zip(steering)) { port := s.ignored }
  // What a read expects goes first; what a hint expects of a load to come can wait, unless another one comes
  private val later = RegInit(0.U.asTypeOf(Valid(new BlockPair(blockBits))))
  for (port <- io.expected) {
    val read, next = Wire(Valid(new BlockPair(blockBits)))
    val unhinted = lastPairs.fold(0.U(pairBits.W))(_.pair)
    read.valid := startsFetch
    read.bits.block := io.lookup.block
    read.bits.pair := steering.fold(unhinted)(s => Mux(s.expected.valid, s.expected.bits, unhinted))
    next.valid := (if (g.ahead) steering.fold(false.B)(_.coming.valid) else false.B)
    next.bits.block := io.hint.fold(block)(_.bits.block)
    next.bits.pair := steering.fold(0.U(pairBits.W))(_.coming.bits)
    val chosen = Mux(read.valid, read, Mux(later.valid, later, next))
    later.valid := (later.valid && read.valid) || (next.valid && (later.valid || read.valid))
    when(next.valid) { later.bits := next.bits }
    port.valid := chosen.valid && io.keys.usable(keyOf(chosen.bits.pair))
    port.bits.block := chosen.bits.block
    port.bits.counter := chosen.bits.pair
    port.bits.key := keyOf(chosen.bits.pair)
  }

  // Requests of pairs, those that wait in turn; a fetch that none goes before asks in the cycle of its look-up
  private val waits = fetchWaits ++ updateWaits
  private val turn = RegInit(0.U(log2Ceil(fetches + updates).max(1).W))
  private val chosen = InTurn(waits, turn)
  private val anyWaits = waits.reduce(_ || _)
  private val request = io.memory.request
  private val asked = WireInit(0.U.asTypeOf(new MemoryRequest(p.memory)))
  private def index(n: UInt, count: Int): UInt = n(math.max(1, log2Ceil(count)) - 1, 0)
  private val isFetch = !anyWaits || chosen < fetches.U
  private val fetched = Mux(anyWaits, chosen, fetchSlot)
  private val updated = chosen - fetches.U
  private val askedBlock = Mux(
    isFetch,
    Mux(anyWaits, fetchBlock(index(fetched, fetches)), io.lookup.block),
    updateBlock(index(updated, updates))
  )
  asked.write := !isFetch
  asked.address := p.layout.counterBase.U + (askedBlock << log2Ceil(pairBytes))
  asked.size := log2Ceil(pairBytes).U
  asked.id := p.counterIds.U +& Mux(isFetch, fetched, chosen)
  private val laneBits = log2Ceil(p.memory.beatBytes / pairBytes)
  private def laneOf(block: UInt): UInt = if (laneBits == 0) 0.U(1.W) else block(laneBits - 1, 0)
  asked.mask := FillInterleaved(pairBytes, UIntToOH(laneOf(askedBlock), 1 << laneBits))
  asked.data := Fill(p.memory.beatBytes / pairBytes, updatePair(index(updated, updates)))
  request.bits := asked
  request.valid := anyWaits || startsFetch
  private val goes = request.valid && request.ready
  when(goes) { turn := chosen }
  for (i <- 0 until fetches) {
    when(goes && anyWaits && chosen === i.U) { fetchWaits(i) := false.B }
    when(startsFetch && fetchSlot === i.U) {
      fetching(i) := true.B
      fetchWaits(i) := anyWaits || !request.ready
      fetchEntry(i) := io.lookup.entry
      fetchBlock(i) := io.lookup.block
    }
  }
  for (i <- 0 until updates) {
    when(goes && anyWaits && chosen === (fetches + i).U) { updateWaits(i) := false.B }
    when(startsUpdate && updateSlot === i.U) {
      updating(i) := true.B
      updateBlock(i) := io.lookup.block
    }
    when(writesNow && slot === i.U) {
      updatePair(i) := pair
      updateWaits(i) := !writeDenied
      when(writeDenied) { updating(i) := false.B }
    }
  }

  // Answers of memory; a fetched pair waits while a write is answered, and one that comes in the cycle of its request for the cycle that the books need
  private val response = io.memory.response
  private val answered = response.bits.id - p.counterIds.U
  private val isPair = answered < fetches.U
  private val from = index(answered, fetches)
  private val lanes =
    VecInit((0 until p.memory.beatBytes / pairBytes).map(i => response.bits.data(pairBits * (i + 1) - 1, pairBits * i)))
  private val read = if (lanes.size == 1) lanes(0) else lanes(laneOf(fetchBlock(from)))
  private val answersNow = here && (isWrite || isLate)
  response.ready := !isPair || (fetching(from) && !answersNow)
  private val comes = response.valid && response.ready && isPair
  private val acknowledges = response.valid && !isPair
  private val refused = (comes || acknowledges) && response.bits.denied
  for (i <- 0 until fetches) { when(comes && from === i.U) { fetching(i) := false.B } }
  for (i <- 0 until updates) {
    when(acknowledges && index(answered - fetches.U, updates) === i.U) { updating(i) := false.B }
  }

  for (table <- lastPairs) {
    table.read.valid := comes && !refused
    table.read.bits.block := fetchBlock(from)
    table.read.bits.pair := read
  }
  io.result.valid := answersNow || comes
  io.result.bits.entry := Mux(answersNow, entry, fetchEntry(from))
  io.result.bits.counter := Mux(answersNow, pair, read)
  io.result.bits.key := keyOf(io.result.bits.counter)
  io.result.bits.direct := false.B
  io.result.bits.denied := Mux(answersNow, writeDenied, broken || refused || !io.keys.usable(io.result.bits.key))

  // There is no cache of counters, so no look-up hits
  io.hit := false.B
  io.miss := starts
  io.retry := comes || acknowledges || broken || (writesNow && writeDenied)

  // A flush ends when the pairs that were on their way are in memory
  private val left = RegInit(0.U(updates.W))
  left := Mux(io.flush, updating.asUInt, left & updating.asUInt)
  io.flushing := left.orR
  private val clears = steering.map(_.busy).toSeq ++ lastPairs.map(_.busy)
  io.busy := here || later.valid || fetching.asUInt.orR || updating.asUInt.orR || clears.fold(false.B)(_ || _)

  when(refused || overflow) { broken := true.B }
  io.alarm := Mux(refused, AlarmCause.metadataError.U, Mux(overflow, AlarmCause.counterOverflow.U, AlarmCause.none.U))
  private val refusedBlock = Mux(isPair, fetchBlock(from), updateBlock(index(answered - fetches.U, updates)))
  io.alarmAddress := Mux(refused, refusedBlock, block) << p.core.blockOffsetBits
  neverReencrypts()
  nothingGuards()
}
