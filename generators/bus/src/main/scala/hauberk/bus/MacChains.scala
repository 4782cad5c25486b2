package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.GF128

/** Ports of the MAC chains of a group. */
class MacIO(val p: BusParams) extends Bundle {

  /** Erases everything, for a new set-up. */
  val clear = Input(Bool())

  /** A first value of a chain, while the group is not open yet. */
  val first = Flipped(Valid(new TransferResult(p)))
  val results = Flipped(Vec(p.ciphers, Valid(new TransferResult(p))))

  /** The key of the hash, for GHASH alone. */
  val hashKey = Input(UInt(128.W))

  /** The next transfer can be taken. */
  val ready = Output(Bool())

  /** A transfer passes: its data in the clear, if it has some, and its header. `boundary` may come alone. */
  val use = Input(Bool())
  val hasData = Input(Bool())
  val data = Input(UInt(p.sharedBus.widthBits.W))
  val header = Input(UInt(128.W))
  val boundary = Input(Bool())

  /** Job for the cipher. */
  val slot = Output(UInt(TransferCipher.slotBits.W))
  val inputs = Output(Vec(p.lanes + 1, UInt(128.W)))

  /** The MAC of all that passed up to a boundary, in the order of boundaries; secret until it is enciphered. */
  val summary = Valid(UInt(128.W))
}

/** CBC-MACs of all transfers of a group, over their data and headers (section 4.3).
  *
  * There are as many chains of each lane as there are masks, used in turn, each of which takes its next block `aesLatency` cycles after
  * the last. The MAC of a moment is the sum of all chains, each of which begins with a value of its own.
  */
class CbcChains(val p: BusParams) extends Module {
  val io = IO(new MacIO(p))
  private val slots = p.secure.masks
  private val chains = Reg(Vec(slots, Vec(p.lanes + 1, UInt(128.W))))
  private val sum = RegInit(0.U(128.W))
  private val pointer = RegInit(0.U(log2Ceil(slots).max(1).W))
  private val slotClock = Module(new SlotClock(slots, p.secure.aesLatency))
  slotClock.io.clear := io.clear
  slotClock.io.use.valid := io.use
  slotClock.io.use.bits := pointer

  /** The cipher is still at it, which other groups may have held up. */
  private val pending = RegInit(VecInit(Seq.fill(slots)(false.B)))
  io.ready := Choose(slotClock.io.ready, pointer) && !Choose(pending, pointer)
  io.slot := pointer
  for (lane <- 0 to p.lanes) {
    val block = if (lane == p.lanes) io.header else io.data((lane + 1) * 128 - 1, lane * 128)
    io.inputs(lane) := Choose(chains, pointer)(lane) ^ block
  }
  when(io.clear) {
    pointer := 0.U
  }.elsewhen(io.use) {
    pointer := Mux(pointer === (slots - 1).U, 0.U, pointer + 1.U)
  }

  private def isChain(write: Valid[TransferResult]): Bool = write.valid && write.bits.isChain
  private val changed = io.results.map { write =>
    Mux(isChain(write), Choose(Choose(chains, write.bits.slot), write.bits.lane) ^ write.bits.block, 0.U)
  }.reduce(_ ^ _)
  private val begun = Mux(isChain(io.first), io.first.bits.block, 0.U)
  private val next = sum ^ changed ^ begun
  sum := Mux(io.clear, 0.U, next)
  for (slot <- 0 until slots) {
    val ends = io.results.map(write => isChain(write) && write.bits.slot === slot.U && write.bits.lane === p.lanes.U)
    when(io.clear || VecInit(ends).asUInt.orR) {
      pending(slot) := false.B
    }.elsewhen(io.use && pointer === slot.U) { pending(slot) := true.B }
  }
  private val writes = io.first +: io.results
  for {
    slot <- 0 until slots
    lane <- 0 to p.lanes
  } {
    val hits = writes.map(write => isChain(write) && write.bits.slot === slot.U && write.bits.lane === lane.U)
    when(io.clear) { chains(slot)(lane) := 0.U }.elsewhen(VecInit(hits).asUInt.orR) {
      chains(slot)(lane) := Mux1H(hits, writes.map(_.bits.block))
    }
  }
  io.summary.valid := VecInit(io.results.map(write => write.valid && write.bits.boundary)).asUInt.orR
  io.summary.bits := Mux(io.summary.valid, next, 0.U)
}

/** The same with GHASH, the alternative section 4.3 names: a polynomial of all blocks, at a point that is secret and new with every set-up.
  *
  * Takes a block a cycle, the lanes of a transfer and then its header, or a block of zeros in place of data there are not. Never holds up the
  * shared bus.
  */
class GhashChain(val p: BusParams) extends Module {
  val io = IO(new MacIO(p))
  private val blocks = p.lanes + 1
  private val left = RegInit(0.U(log2Ceil(blocks + 1).W))
  private val waiting = Reg(Vec(blocks, UInt(128.W)))
  private val boundary = RegInit(false.B)
  private val sum = RegInit(0.U(128.W))
  // Always so in time for the next bus cycle; whoever commits faster than that is found to
  io.ready := left === 0.U
  io.slot := 0.U
  io.inputs.foreach(_ := 0.U)

  private val product = GF128.multiply(sum ^ waiting.head, io.hashKey)
  when(left =/= 0.U) {
    sum := product
    left := left - 1.U
    for ((later, sooner) <- waiting.tail.zip(waiting)) { sooner := later }
  }
  io.summary.valid := boundary && left === 0.U
  io.summary.bits := Mux(io.summary.valid, sum, 0.U)
  when(io.summary.valid) { boundary := false.B }
  when(io.use) {
    left := blocks.U
    for (lane <- 0 until p.lanes) {
      waiting(lane) := Mux(io.hasData, io.data((lane + 1) * 128 - 1, lane * 128), 0.U)
    }
    waiting(p.lanes) := io.header
  }
  when(io.boundary) { boundary := true.B }
  when(io.clear) {
    waiting.foreach(_ := 0.U)
    left := 0.U
    boundary := false.B
    sum := 0.U
  }
}
