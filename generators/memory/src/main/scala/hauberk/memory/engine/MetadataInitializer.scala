package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{Burst, MemoryPort, MemoryPortParams, MemoryRequest}
import hauberk.memory.common.Geometry

/** A request of the counter store, with the group of its line. */
class GroupRequest(val params: MemoryPortParams, val groupBits: Int) extends Bundle {
  val request = new MemoryRequest(params)
  val group = UInt(groupBits.W)
}

/** Ports of the [[MetadataInitializer]]. */
class MetadataInitializerIO(val p: Geometry) extends Bundle {

  /** The counter store's port. */
  val counters = Flipped(new MemoryPort(p.memory))
  val memory = new MemoryPort(p.memory)

  /** No other request of the engine waits for memory, or one is taken in this cycle: the next zero write may begin. */
  val othersServed = Input(Bool())

  /** Requests of counters may come: from then on until reset. */
  val ready = Output(Bool())
  val flush = Input(Bool())

  /** The engine is halted: a flush zeroes no further group. */
  val halted = Input(Bool())

  /** The counter store is being flushed. */
  val countersFlushing = Input(Bool())

  /** From the cycle after `flush` until memory holds every counter line. */
  val flushing = Output(Bool())

  /** A beat of a zero write goes to memory. */
  val zeroes = Output(Bool())

  /** Memory refused a zero write. Stays set until reset. */
  val refused = Output(Bool())

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())
}

/** Zeroes unguarded counter lines in memory before their first use, so that nothing memory held at reset is ever taken for a counter
  * (adversary A15). Stands between the counter store and memory.
  *
  * Counter lines are in [[CounterGroups]]. The first request to a group waits until memory has acknowledged zeros in all of its lines; later
  * requests wait behind it. A flush also zeroes every group that no request has come to. Requests of zeroed groups take a cycle here ([[CounterRequests]]),
  * answers none.
  *
  * Zero writes use identifiers of the counter store that are not in use. Zero writes and requests of other units take turns. Once memory has
  * refused a zero write, requests pass unchecked and every answer to the counter store is denied.
  */
class MetadataInitializer(p: Geometry) extends Module {
  private val params = p.memory
  private val ids = p.counterMemoryIds
  private val groups = CounterGroups(p.layout.counterLines)
  val io = IO(new MetadataInitializerIO(p))
  private val table = Module(new InitialisedGroups(groups))
  private val writer = Module(new ZeroWriter(p, groups, ids))
  io.ready := table.io.cleared
  io.refused := writer.io.refused

  private val requests = Module(new CounterRequests(new GroupRequest(params, groups.groupBits), p.cachesCounters))
  private val incoming = io.counters.request
  private val line = (incoming.bits.address >> params.blockOffsetBits) - (p.layout.counterBase / p.bank.blockBytes).U
  requests.io.in.valid := incoming.valid
  requests.io.in.bits.request := incoming.bits
  requests.io.in.bits.group := line >> groups.offsetBits
  incoming.ready := requests.io.in.ready
  private val held = requests.io.out

  // Flush: from group to group, and no group twice. Requests and the flush take turns
  private val walking = RegInit(false.B)
  private val walk = RegInit(0.U(log2Ceil(groups.count + 1).W))
  private val walks = walking && walk =/= groups.count.U
  private val passed = RegInit(true.B)
  table.io.group(0) := held.bits.group
  table.io.group(1) := walk
  private val isOpen = table.io.initialised(0) || writer.io.refused
  private val request = io.memory.request
  private val fires = request.valid && request.ready
  private val passes = Wire(Bool())
  private val header = held.bits.request
  private val lastBeat = Mux(header.write, Burst.lastBeat(header.size, params), 0.U)
  private val (first, last, _) = Burst.track(passes && request.ready, lastBeat)
  private val needsHeld = held.valid && !isOpen
  private val needsWalk = walks && !table.io.initialised(1) && (!held.valid || passed)
  private val starts =
    table.io.cleared && !writer.io.busy && !writer.io.refused && first && (needsHeld || needsWalk)
  private val group = Reg(UInt(groups.groupBits.W))
  passes := held.valid && isOpen && !writer.io.busy && !starts
  writer.io.start.valid := starts
  writer.io.start.bits := Mux(needsHeld, held.bits.group, walk)
  when(starts) { group := writer.io.start.bits }
  table.io.mark.valid := writer.io.done
  table.io.mark.bits := group
  when(walks && table.io.initialised(1)) { walk := walk + 1.U }
  when(starts && !needsHeld) { passed := false.B }
  when(passes && request.ready && last) { passed := true.B }
  when(io.flush) { walking := true.B }
  when((walking && !walks) || writer.io.refused || io.halted) { walking := false.B }

  // A write-back may be acknowledged before its last beat, which is then held here
  private val flushing = RegInit(false.B)
  private val flushes = io.flush || io.countersFlushing
  requests.io.flushing := flushes
  when(!walking && !requests.io.left) { flushing := false.B }
  when(flushes) { flushing := true.B }
  io.flushing := flushing
  io.busy := !table.io.cleared || held.valid || writer.io.busy || walking || flushing

  private val turn = RegInit(true.B)
  turn := io.othersServed || (turn && !(fires && writer.io.busy))
  writer.io.mayBegin := turn
  request.valid := Mux(writer.io.busy, writer.io.request.valid, passes)
  request.bits := Mux(writer.io.busy, writer.io.request.bits, header)
  writer.io.request.ready := request.ready && writer.io.busy
  held.ready := request.ready && passes
  io.zeroes := fires && writer.io.busy

  // While zeros are written, the counter store asks for nothing: what is not one of its earlier requests is a zero write
  private val theirs = RegInit(0.U(ids.W))
  private val response = io.memory.response
  private val index = (response.bits.id - p.counterIds.U)(math.max(1, log2Ceil(ids)) - 1, 0)
  private val isZero = writer.io.busy && !theirs(index)
  private val answers = response.valid && response.ready
  private val lastOfAnswer = Mux(response.bits.write, 0.U, Burst.lastBeat(response.bits.size, params))
  private val (_, ends, _) = Burst.track(answers, lastOfAnswer)
  private def only(condition: Bool, index: UInt): UInt = Mux(condition, UIntToOH(index, ids), 0.U(ids.W))
  theirs := (theirs | only(passes && request.ready && first, header.id - p.counterIds.U)) &
    (~only(answers && ends && !isZero, index)).asUInt
  writer.io.free := (~theirs).asUInt
  writer.io.acknowledged.valid := answers && isZero
  writer.io.acknowledged.bits.index := index
  writer.io.acknowledged.bits.denied := response.bits.denied
  response.ready := isZero || io.counters.response.ready
  io.counters.response.valid := response.valid && !isZero
  io.counters.response.bits := response.bits
  io.counters.response.bits.denied := response.bits.denied || writer.io.refused
}
