package hauberk.memory

import chisel3._
import chisel3.util._

/** A request of one transaction for its counter; answered in the same cycle. */
class LookupPort(val p: Protection) extends Bundle {
  val valid = Output(Bool())
  val write = Output(Bool())
  val block = Output(UInt(p.core.blockIndexBits.W))
  val entry = Output(UInt(p.entryBits.W))

  /** The first time this transaction asks; statistics count a block access once. */
  val fresh = Output(Bool())
  val granted = Input(Bool())
  val answer = Input(new LookupAnswer)
}

/** What became of a transaction in the cycle in which it was taken. */
class TakenNow extends Bundle {
  val lookup = new LookupAnswer
  val issued = Bool()
}

/** What the units of the core tell each other of the counter store and the mask generator. */
class UnitEvents(val p: Protection) extends Bundle {
  val retry = Bool()
  val result = Valid(new CounterResult(p))
  val mask = Valid(new Mask(p))
}

/** Ports of the [[ReadUnit]]. */
class ReadUnitIO(val p: Protection) extends Bundle {
  private val r = p.params.reads
  private val w = p.params.writes

  /** A new read, with the older writes of its block, and what was done for it on the way in. */
  val take = Flipped(Decoupled(new MemoryRequest(p.core)))
  val takeAfter = Input(UInt(w.W))
  val taken = Input(new TakenNow)

  /** Where the next read will be kept. */
  val free = Output(UInt(p.entryBits.W))
  val block = Input(UInt(p.core.blockIndexBits.W))
  val matches = Output(UInt(r.W))
  val inFlight = Output(UInt(r.W))
  val done = Output(UInt(r.W))
  val writesDone = Input(UInt(w.W))
  val events = Input(new UnitEvents(p))
  val lookup = new LookupPort(p)
  val issue = Decoupled(new MemoryRequest(p.memory))
  val job = Decoupled(new MaskJob(p))
  val memory = Flipped(Decoupled(new MemoryResponse(p.memory)))
  val client = Decoupled(new MemoryResponse(p.core))
  val buffer = Vec(MaskGenerator.bufferPorts, Flipped(new BufferPort(p)))
}

/** The reads in flight. Of a block's bytes and their mask, whichever comes first waits: if the mask is there, beats pass straight through
  * with no cycle added; else they are buffered, so that memory, which may owe us the very counter we wait for, is never held up. A read of
  * a block that is being written waits for the write.
  */
class ReadUnit(p: Protection) extends Module {
  val io = IO(new ReadUnitIO(p))
  private val r = p.params.reads
  private val indexBits = math.max(1, log2Ceil(r))
  private val chunkBits = log2Ceil(p.chunks)
  private val beats = p.core.blockBeats
  private val beatBits = p.core.beatIndexBits

  private def flags(init: Boolean) = RegInit(VecInit(Seq.fill(r)(init.B)))
  private def fields[T <: Data](t: T) = Reg(Vec(r, t))
  private val valid = flags(false)
  private val waitFor = fields(UInt(p.params.writes.W))
  private val request = fields(new MemoryRequestHeader(p.core))
  private val needIssue, needMask, noCounter, denied, late = flags(false)
  private val counter = fields(UInt(p.counterBits.W))
  private val masks = fields(UInt(p.chunks.W))
  private val received = fields(UInt((beatBits + 1).W))

  private val buffer = new BlockBuffer(p, r)
  private val lookups = new PendingLookups(r)

  private def whole = p.params.mode.needsData
  private def firstBeat(h: MemoryRequestHeader): UInt = h.firstBeat
  private def isIn(entry: UInt): Bool = entry < r.U
  private def index(entry: UInt): UInt = entry(indexBits - 1, 0)

  // Take
  private val freeIndex = PriorityEncoder(valid.map(v => !v))
  io.free := freeIndex
  io.take.ready := !valid.reduce(_ && _)
  private val takes = io.take.valid && io.take.ready

  // Look up and issue what could not be done on the way in
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

  // Counters and masks
  private val result = io.events.result
  private val resultHere = result.valid && isIn(result.bits.entry)
  private val resultIndex = index(result.bits.entry)
  private val complete = (0 until r).map(i => if (whole) received(i) === beats.U else true.B)
  private val wantsJob = (0 until r).map(i => valid(i) && needMask(i) && complete(i))
  private val jobIndex = PriorityEncoder(wantsJob)
  // A counter that has just come goes straight to the mask generator
  private val straight = resultHere && !result.bits.denied && !whole.B
  private val jobOf = Mux(straight, resultIndex, jobIndex)
  private val jobRequest = request(jobOf)
  io.job.valid := straight || wantsJob.reduce(_ || _)
  io.job.bits.entry := jobOf
  io.job.bits.write := false.B
  io.job.bits.block := jobRequest.block
  io.job.bits.counter := Mux(straight, result.bits.counter, counter(jobIndex))
  io.job.bits.first := (if (whole) 0.U else buffer.chunkOf(firstBeat(jobRequest)))
  io.job.bits.last := (if (whole) (p.chunks - 1).U else buffer.chunkOf(firstBeat(jobRequest) + jobRequest.lastBeat))
  when(resultHere) {
    counter(resultIndex) := result.bits.counter
    noCounter(resultIndex) := result.bits.denied
    needMask(resultIndex) := !result.bits.denied
  }
  when(io.job.valid && io.job.ready) { needMask(jobOf) := false.B }
  private val mask = io.events.mask
  private val maskHere = mask.valid && isIn(mask.bits.entry)
  when(maskHere) {
    buffer.putMask(index(mask.bits.entry), mask.bits.chunk, mask.bits.bits)
    masks(index(mask.bits.entry)) := masks(index(mask.bits.entry)) | UIntToOH(mask.bits.chunk, p.chunks)
  }
  // A read without a counter gets no mask; every other waits for all of its masks, so that none finds the entry reused
  private def masked(entry: UInt, chunk: UInt): Bool =
    noCounter(entry) || (if (whole) masks(entry).andR else (masks(entry) >> chunk)(0))

  // Beats from memory
  private val from = index(io.memory.bits.id)
  private val fromHeader = request(from)
  private val lastFromMemory = if (whole) (beats - 1).U(beatBits.W) else fromHeader.lastBeat
  private val memoryFires = io.memory.valid && io.memory.ready
  private val (isFirst, _, beatCount) = Burst.track(memoryFires, lastFromMemory)
  private val beatFromMemory = (if (whole) beatCount else firstBeat(fromHeader) + beatCount) (beatBits - 1, 0)
  // A manager may answer in the cycle of the request; it is then held for the one cycle that the books need
  private val expected = valid(from) && !needIssue(from)

  // What waits goes first; a burst, once begun, is finished
  private val draining = RegInit(false.B)
  private val drained = Reg(UInt(indexBits.W))
  private val passing = RegInit(false.B)
  private val ripe = (0 until r).map { i =>
    val begun = if (whole) received(i) === beats.U else received(i) =/= 0.U
    valid(i) && late(i) && begun && masked(i.U, buffer.chunkOf(firstBeat(request(i))))
  }
  private val drainStart = !draining && !passing && ripe.reduce(_ || _)
  private val drainNow = draining || drainStart
  private val out = Mux(draining, drained, Mux(drainStart, PriorityEncoder(ripe), from))
  private val outHeader = request(out)
  private val (_, outLast, outCount) = Burst.track(io.client.valid && io.client.ready, outHeader.lastBeat)
  private val outBeat = (firstBeat(outHeader) + outCount)(beatBits - 1, 0)
  private val outMasked = masked(out, buffer.chunkOf(outBeat))
  private val outReceived = (if (whole) outBeat else outCount) < received(out)

  private val straightThrough = io.memory.valid && expected && !whole.B && !drainNow &&
    Mux(isFirst, !late(from) && masked(from, buffer.chunkOf(firstBeat(fromHeader))), passing)
  private val toBuffer = io.memory.valid && expected && !straightThrough && !passing
  io.memory.ready := toBuffer || (straightThrough && outMasked && io.client.ready)
  when(toBuffer) {
    buffer.putBeat(from, beatFromMemory, io.memory.bits.data)
    late(from) := true.B
    received(from) := received(from) + 1.U
  }
  // Once refused, refused to the last beat, which is what a partial write looks at
  when(memoryFires && io.memory.bits.denied) { denied(from) := true.B }

  private val isDenied = noCounter(out) || denied(out) || (!drainNow && io.memory.bits.denied)
  io.client.valid := outMasked && Mux(drainNow, outReceived, straightThrough)
  io.client.bits.write := false.B
  io.client.bits.id := outHeader.id
  io.client.bits.size := outHeader.size
  io.client.bits.denied := isDenied
  io.client.bits.data := Mux(
    isDenied,
    0.U,
    Mux(drainNow, buffer.beat(out, outBeat), io.memory.bits.data) ^ buffer.maskOf(out, outBeat)
  )
  private val clientFires = io.client.valid && io.client.ready
  when(clientFires) {
    draining := drainNow && !outLast
    passing := !drainNow && !outLast
    drained := out
  }
  private val finishes = clientFires && outLast
  when(finishes) { valid(out) := false.B }
  io.done := Mux(finishes, UIntToOH(out, r), 0.U)

  // Books
  io.inFlight := valid.asUInt
  io.matches := VecInit((0 until r).map(i => valid(i) && request(i).block === io.block)).asUInt
  for (i <- 0 until r) { waitFor(i) := waitFor(i) & (~io.writesDone).asUInt }
  when(takes) {
    valid(freeIndex) := true.B
    waitFor(freeIndex) := io.takeAfter
    request(freeIndex) := MemoryRequestHeader(p.core, io.take.bits)
    lookups.begin(freeIndex, io.taken.lookup, io.events.retry)
    needIssue(freeIndex) := !io.taken.issued
    needMask(freeIndex) := false.B
    noCounter(freeIndex) := false.B
    denied(freeIndex) := false.B
    late(freeIndex) := false.B
    masks(freeIndex) := 0.U
    received(freeIndex) := 0.U
  }

  io.buffer.foreach(port => buffer.serve(port, index(port.entry)))
}

object ReadUnit {

  /** What a read asks of memory: itself, or its whole block if the mode must see all of it. */
  def memoryRequest(p: Protection, header: MemoryRequestHeader, entry: UInt): MemoryRequest = {
    val out = Wire(new MemoryRequest(p.memory))
    out.write := false.B
    out.partial := false.B
    out.address := (if (p.params.mode.needsData) header.block << p.core.blockOffsetBits else header.address)
    out.size := (if (p.params.mode.needsData) p.core.blockOffsetBits.U else header.size)
    out.id := entry
    out.mask := ((BigInt(1) << p.core.beatBytes) - 1).U
    out.data := 0.U
    out
  }
}
