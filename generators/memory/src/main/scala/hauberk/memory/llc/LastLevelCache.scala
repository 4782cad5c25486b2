package hauberk.memory.llc

import chisel3._
import chisel3.util._
import hauberk.memory.cache.TreePlru
import hauberk.memory.port.{Lanes, MemoryArbiter, MemoryPort, MemoryPortParams}

/** Events of a last-level cache, each for one cycle. */
class LastLevelEvents extends Bundle {
  val hit, miss, writeback = Bool()

  /** Memory refused a line that was written back: what it held is lost. */
  val lost = Bool()
}

/** One bank of a last-level cache: write-back, write-allocate, non-blocking, on the memory side of the coherence manager, so it has neither
  * a directory of sharers nor probes. Blocks are lines.
  *
  * A read that hits is answered from the second cycle after its request on, one that misses is sent on in that cycle. A write of a whole block
  * fetches nothing. A request waits for older ones of its block that missed, and those behind it wait for it. Requests take effect in their order;
  * answers come in any. A line is replaced by tree pseudo-LRU. For one cycle a set after reset, requests wait.
  *
  * What memory refuses is denied, and never cached. What is written as corrupt makes its line poisoned: it is denied to readers and to writers
  * of a part of it, until it is written whole, and goes back to memory as corrupt.
  *
  * A flush writes back every line that is dirty when it begins, including all that was acknowledged before; lines stay.
  *
  * @param client port above
  * @param shape  size, ways and misses in flight of this bank
  */
class LastLevelCache(client: MemoryPortParams, shape: LastLevelCacheParams) extends Module {
  private val g = new LastLevelGeometry(client, shape)
  val io = IO(new Bundle {
    val client = Flipped(new MemoryPort(g.client))
    val memory = new MemoryPort(g.memory)
    val flush = Input(Bool())

    /** From the cycle after `flush` on, until memory has acknowledged what was dirty then. */
    val flushing = Output(Bool())
    val events = Output(new LastLevelEvents)
  })
  private val directory = Module(new LastLevelDirectory(g))
  private val requests = Module(new LastLevelRequests(g))
  private val mshrs = Module(new LastLevelMshrs(g))
  private val writebacks = Module(new LastLevelWritebacks(g))
  private val responses = Module(new LastLevelResponses(g))
  private val acknowledgements = Module(new Queue(chiselTypeOf(responses.io.acknowledgement.bits), 2))
  private val data = SyncReadMem(g.sets * g.ways, UInt(g.rowBits.W))
  requests.io.request <> io.client.request
  io.client.response <> responses.io.out
  responses.io.miss <> mshrs.io.answer
  responses.io.acknowledgement <> acknowledgements.io.deq

  // One line after the other: a set is read in one cycle, decided upon in the next, and its data move in the one after that, when the next
  // set may be read. Lines that were fetched go first, in place of a read; then a request and the flush, in turn
  private val deciding = RegInit(false.B)
  private val walking = RegInit(false.B)
  private val walk = RegInit(0.U(g.setBits.W))
  private val walksNow = Reg(Bool())
  private val walkedSet = Reg(UInt(g.setBits.W)) // a command may set `walk` back meanwhile
  private val passed = RegInit(0.U(g.ways.W)) // ways of the set `walk` that this flush has written back
  private val walkWaits = RegInit(false.B) // the flush needs a place among the write-backs, and is next
  private val writesRow = RegInit(false.B)
  private val task = requests.io.task
  private val walkNext = walking && (!walksNow || !task.valid)
  private val mayBegin = directory.io.ready && !deciding
  mshrs.io.install.ready := mayBegin && !writesRow
  private val installs = mshrs.io.install.valid && mshrs.io.install.ready
  private val begins = mayBegin && !installs && (task.valid || walking)
  deciding := begins
  when(begins) {
    walksNow := walkNext
    walkedSet := walk
  }
  directory.io.read.valid := begins
  directory.io.read.bits := Mux(walkNext, walk, g.setOf(task.bits.header.block))

  // Decide
  private val decides = deciding && !walksNow
  private val request = task.bits
  private val block = request.header.block
  private val set = Mux(walksNow, walkedSet, g.setOf(block))
  private val lines = directory.io.lines
  mshrs.io.block := Mux(walksNow, walkedSet, block)
  private val reserved = mshrs.io.ways
  private val hits = VecInit(lines.map(line => line.valid && line.tag === g.tagOf(block))).asUInt
  private val hit = hits.orR
  private val dirty = VecInit(lines.map(line => line.valid && line.dirty)).asUInt
  private val onWalk = walk === walkedSet
  // What gets dirty behind a flush is not its own: it would never end
  private val left = dirty & (~Mux(onWalk, passed, 0.U)).asUInt
  private val empty = (~VecInit(lines.map(_.valid)).asUInt).asUInt & (~reserved).asUInt
  private val oldest = UIntToOH(TreePlru.victim(directory.io.recency, g.ways), g.ways)
  private val mayGo = (~reserved).asUInt
  private val victim = PriorityEncoderOH(Mux(empty.orR, empty, Mux((oldest & mayGo).orR, oldest, mayGo)))
  private val ways = Mux(walksNow, PriorityEncoderOH(left), Mux(hit, hits, victim))
  private val way = OHToUInt(ways)
  private val line = Mux1H(ways, lines)
  private val leaves = line.valid && line.dirty
  private val leaving = g.blockOf(line.tag, set)
  writebacks.io.blocks := VecInit(Seq(block, leaving))
  private val mayLeave = writebacks.io.ready && !writebacks.io.holds(1)

  private val isRefused =
    hit && line.poisoned && !(request.write && request.whole) // poisoned data are neither read nor merged into
  private val fetches = !hit && !(request.write && request.whole)
  private val room = Mux(
    fetches,
    mshrs.io.ready && !writebacks.io.holds(0),
    Mux(request.write, acknowledgements.io.enq.ready, responses.io.hit.ready)
  )
  private val done = decides && !mshrs.io.holds && room && (hit || (mayGo.orR && (!leaves || (mayLeave && !walkWaits))))
  requests.io.done := done
  private val cleans = deciding && walksNow && left.orR && mayLeave
  private val evicts = cleans || (done && !hit && leaves)
  private val writes = done && request.write && !fetches && !isRefused

  directory.io.write.valid := installs || cleans || writes || (done && fetches)
  directory.io.write.bits.set := Mux(installs, g.setOf(mshrs.io.install.bits.block), set)
  directory.io.write.bits.way := Mux(installs, mshrs.io.install.bits.way, way)
  private val after = WireInit(line)
  directory.io.write.bits.line := after
  when(cleans) { after.dirty := false.B }
  when(writes) {
    after.valid := true.B
    after.dirty := true.B
    after.poisoned := request.poisoned
    after.tag := g.tagOf(block)
  }
  when(done && fetches) { after.valid := false.B }
  when(installs) {
    after.valid := true.B
    after.dirty := mshrs.io.install.bits.dirty
    after.poisoned := mshrs.io.install.bits.poisoned
    after.tag := g.tagOf(mshrs.io.install.bits.block)
  }
  directory.io.use.valid := done
  directory.io.use.bits := TreePlru.use(directory.io.recency, way, g.ways)
  mshrs.io.start.valid := done && fetches
  mshrs.io.start.bits.task := request
  mshrs.io.start.bits.way := way
  writebacks.io.start.valid := evicts
  writebacks.io.start.bits.block := leaving
  writebacks.io.start.bits.poisoned := line.poisoned
  acknowledgements.io.enq.valid := done && request.write && !fetches
  acknowledgements.io.enq.bits := 0.U.asTypeOf(acknowledgements.io.enq.bits)
  acknowledgements.io.enq.bits.write := true.B
  acknowledgements.io.enq.bits.id := request.header.id
  acknowledgements.io.enq.bits.size := request.header.size
  acknowledgements.io.enq.bits.denied := isRefused

  // Move data: the row that was read goes to the client, to memory, or back with what is written
  private val slot = g.slotOf(set, way)
  private val row = data.read(slot, deciding)
  private val answersHit = RegNext(done && hit && !request.write, false.B)
  writesRow := writes
  responses.io.hit.valid := answersHit
  responses.io.hit.bits.header := RegNext(request.header)
  responses.io.hit.bits.denied := RegNext(isRefused)
  responses.io.hit.bits.row := row
  writebacks.io.row := row
  private val merged = Lanes.merge(requests.io.doneMask, requests.io.doneRow, row)
  private val slotBefore = RegNext(slot)
  private val installSlot = g.slotOf(g.setOf(mshrs.io.install.bits.block), mshrs.io.install.bits.way)
  when(writesRow || installs) {
    data.write(Mux(writesRow, slotBefore, installSlot), Mux(writesRow, merged, mshrs.io.install.bits.row))
  }

  // Flush: set by set; and what the walk has found, or was leaving when it ended, is acknowledged
  private val elders = RegInit(0.U(LastLevelCacheParams.writebacks.W))
  elders := elders & writebacks.io.held
  when(deciding && walksNow) { walkWaits := left.orR && !writebacks.io.ready }
  when(cleans && onWalk) { passed := passed | ways }
  when(deciding && walksNow && !left.orR && onWalk) {
    walk := walk + 1.U
    passed := 0.U
    when(walk === (g.sets - 1).U) {
      walking := false.B
      elders := writebacks.io.held
    }
  }
  when(io.flush) {
    walking := true.B
    walk := 0.U
    passed := 0.U
  }
  io.flushing := walking || elders.orR

  // Memory
  private val arbiter = Module(new MemoryArbiter(g.memory, 2))
  // Fetches and write-backs in turn
  private val fetched = RegInit(false.B)
  private val fetchMay = !(fetched && writebacks.io.request.valid)
  arbiter.io.in(0) <> mshrs.io.request
  arbiter.io.in(0).valid := mshrs.io.request.valid && fetchMay
  mshrs.io.request.ready := arbiter.io.in(0).ready && fetchMay
  when(io.memory.request.valid && io.memory.request.ready) { fetched := !io.memory.request.bits.write }
  arbiter.io.in(1) <> writebacks.io.request
  io.memory.request <> arbiter.io.out
  private val response = io.memory.response
  mshrs.io.response.valid := response.valid && !response.bits.write
  mshrs.io.response.bits := response.bits
  response.ready := true.B
  writebacks.io.acknowledged.valid := response.valid && response.bits.write
  writebacks.io.acknowledged.bits := (response.bits.id - g.mshrs.U)(log2Ceil(LastLevelCacheParams.writebacks) - 1, 0)

  io.events.hit := done && hit
  io.events.miss := done && !hit
  io.events.writeback := evicts
  io.events.lost := response.valid && response.bits.write && response.bits.denied
}
