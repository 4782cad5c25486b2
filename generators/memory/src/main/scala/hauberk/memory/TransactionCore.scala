package hauberk.memory

import chisel3._
import chisel3.util._

/** Ports of the [[TransactionCore]]. */
class TransactionCoreIO(val p: Protection) extends Bundle {

  /** Reads of any size and whole-block writes, of the data region only. */
  val client = Flipped(new MemoryPort(p.core))
  val memory = new MemoryPort(p.memory)
  val masks = Flipped(new MaskPort(p))
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val alarm = Output(UInt(AlarmCause.width.W))
  val alarmAddress = Output(UInt(p.core.addressBits.W))
  val hit = Output(Bool())
  val miss = Output(Bool())

  /** A transaction is in flight. */
  val busy = Output(Bool())
}

/** Transactions on protected blocks: joins reads, writes, counters and masks. Accesses to one block take effect in the order of their
  * requests; accesses to different blocks do not wait for each other.
  *
  * A read whose counter is cached, and whose block nobody is writing, goes to memory in the cycle it comes; its counter is looked up beside.
  */
class TransactionCore(p: Protection) extends Module {
  val io = IO(new TransactionCoreIO(p))
  private val reads = Module(new ReadUnit(p))
  private val writes = Module(new WriteUnit(p))
  private val counters = Module(p.params.counters.build(p).asInstanceOf[CounterStore])

  // The request at the head, with what is older of its block
  private val head = io.client.request
  private val header = MemoryRequestHeader(p.core, head.bits)
  reads.io.block := header.block
  writes.io.block := header.block
  private val isRead = !head.bits.write
  private val afterReads = reads.io.matches & (~reads.io.done).asUInt
  private val afterWrites = writes.io.matches & (~writes.io.done).asUInt
  private val clear = !writes.io.matches.orR && (isRead || !reads.io.matches.orR)

  // Everything below prefers some transactions to others, so that an endless stream of new ones could pass an old one by for ever. Hence,
  // when one has been passed by for `patience` cycles, new ones wait until all that were in flight with it are done.
  private val inFlight = Cat(writes.io.inFlight, reads.io.inFlight)
  io.busy := inFlight.orR
  private val done = Cat(writes.io.done, reads.io.done)
  private val elders = RegInit(0.U(p.entries.W))
  private val age = RegInit(0.U(log2Ceil(TransactionCore.patience + 1).W))
  private val impatient = age === TransactionCore.patience.U
  elders := Mux(elders.orR, elders, inFlight) & (~done).asUInt
  age := Mux(elders.orR, Mux(impatient, age, age + 1.U), 0.U)
  private val open = !impatient || (!isRead && !writes.io.first)

  head.ready := open && Mux(isRead, reads.io.take.ready, writes.io.take.ready)
  reads.io.take.valid := head.valid && isRead && open
  reads.io.take.bits := head.bits
  reads.io.takeAfter := afterWrites
  writes.io.take.valid := head.valid && !isRead && open
  writes.io.take.bits := head.bits
  writes.io.takeAfterReads := afterReads
  writes.io.takeAfterWrites := afterWrites
  reads.io.writesDone := writes.io.done
  writes.io.readsDone := reads.io.done
  private val headStarts = head.valid && head.ready && (isRead || writes.io.first) && clear

  // One look-up a cycle; the head goes first, but not twice in a row while others wait
  private val others = Seq(reads.io.lookup, writes.io.lookup)
  private val othersWait = others.map(_.valid).reduce(_ || _)
  private val headWasFirst = RegInit(false.B)
  private val headLooks = headStarts && !(headWasFirst && othersWait)
  headWasFirst := headLooks && othersWait
  private val readsLook = !headLooks && reads.io.lookup.valid
  counters.io.lookup.valid := headLooks || othersWait
  counters.io.lookup.write := Mux(headLooks, !isRead, !readsLook)
  counters.io.lookup.block :=
    Mux(headLooks, header.block, Mux(readsLook, reads.io.lookup.block, writes.io.lookup.block))
  counters.io.lookup.entry := Mux(
    headLooks,
    Mux(isRead, reads.io.free, writes.io.free),
    Mux(readsLook, reads.io.lookup.entry, writes.io.lookup.entry)
  )
  private val isFresh = headLooks || Mux(readsLook, reads.io.lookup.fresh, writes.io.lookup.fresh)
  io.hit := counters.io.hit && isFresh
  io.miss := counters.io.miss && isFresh
  private val refused = 0.U.asTypeOf(new LookupAnswer)
  reads.io.lookup.granted := readsLook
  reads.io.lookup.answer := counters.io.lookup.answer
  writes.io.lookup.granted := !headLooks && !readsLook
  writes.io.lookup.answer := counters.io.lookup.answer

  // Requests to memory
  private val arbiter = Module(new MemoryArbiter(p.memory, 4))
  io.memory.request <> arbiter.io.out
  arbiter.io.in(0) <> counters.io.memory.request
  private val headIssue = arbiter.io.in(1)
  headIssue.valid := headStarts && isRead
  headIssue.bits := ReadUnit.memoryRequest(p, header, reads.io.free)
  arbiter.io.in(2) <> reads.io.issue
  arbiter.io.in(3) <> writes.io.issue
  for (unit <- Seq(reads.io.taken, writes.io.taken)) {
    unit.lookup := Mux(headLooks, counters.io.lookup.answer, refused)
    unit.issued := headIssue.valid && headIssue.ready
  }

  // Responses from memory, by identifier
  private val response = io.memory.response
  private val toReads = response.bits.id < p.params.reads.U
  private val toWrites = !toReads && response.bits.id < p.entries.U
  private val destinations = Seq(
    (reads.io.memory, toReads),
    (writes.io.memory, toWrites),
    (counters.io.memory.response, !toReads && !toWrites)
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

  // Masks: reads, whose beats may be coming, before writes
  io.masks.job.valid := reads.io.job.valid || writes.io.job.valid
  io.masks.job.bits := Mux(reads.io.job.valid, reads.io.job.bits, writes.io.job.bits)
  reads.io.job.ready := io.masks.job.ready
  writes.io.job.ready := io.masks.job.ready && !reads.io.job.valid
  for (unit <- Seq(reads.io.events, writes.io.events)) {
    unit.retry := counters.io.retry
    unit.result := counters.io.result
    unit.mask := io.masks.mask
  }
  for (((port, fromReads), fromWrites) <- io.masks.buffer.zip(reads.io.buffer).zip(writes.io.buffer)) {
    fromReads.entry := port.entry
    fromReads.chunk := port.chunk
    fromWrites.entry := port.entry
    fromWrites.chunk := port.chunk
    port.data := Mux(port.entry < p.params.reads.U, fromReads.data, fromWrites.data)
  }

  counters.io.flush := io.flush
  io.flushing := counters.io.flushing
  io.alarm := counters.io.alarm
  io.alarmAddress := counters.io.alarmAddress
}

object TransactionCore {

  /** Cycles for which a transaction may be passed by; far above what a transaction takes, for the remedy costs throughput. */
  val patience = 1024
}
