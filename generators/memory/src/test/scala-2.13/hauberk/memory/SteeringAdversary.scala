package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite
import hauberk.memory.common.KeySlot
import hauberk.memory.counter.CounterHint

/** An engine between a random program and a memory that lies, all in hardware, so that a simulator runs through millions of hints.
  *
  * In each cycle the program may give a hint and ask for an access, as a core does that evicts lines in any order; its moods, which change, choose how many
  * blocks and ids it uses, in which order, and how often registers are incremented. All writes are of whole blocks of zeros, so that what memory
  * gets is the pad itself. Memory answers in any order, half of the time with what it has, else with the pair of
  * another block, a pair that may come, 0 or noise.
  *
  * What memory gets is written to a log, a row of which can be read at a time; while the log is full, memory takes nothing.
  */
class SteeringAdversary(p: Protection, rows: Int) extends Module {
  require(p.bank.blockBytes == 8 && p.bank.beatBytes == 8, "a pad must be a beat")
  private val blockBits = p.core.blockIndexBits
  val rowOf = SteeringAdversary.recordsInRow
  val recordBits: Int = SteeringAdversary.recordBits
  val io = IO(new Bundle {
    val load = Input(Bool())
    val seed = Input(UInt(64.W))
    val keyWrite = Flipped(Valid(new KeyWrite(KeySlot.count, p.cipher.keyBits)))
    val arm = Input(Bool())

    /** The program runs. */
    val run = Input(Bool())
    val initialised, keyed, halted = Output(Bool())
    val hints, steered = Output(UInt(64.W))

    /** Records in the log; it is emptied. */
    val logged = Output(UInt(log2Ceil(rows * rowOf + 1).W))
    val empty = Input(Bool())
    val row = Input(UInt(log2Ceil(rows).W))

    /** Block and pad of each record of the row. */
    val records = Output(UInt((rowOf * recordBits).W))
  })
  private val engine = Module(new MemoryProtectionEngine(p))
  engine.io.keyWrite := io.keyWrite
  engine.io.keyZeroize.valid := false.B
  engine.io.keyZeroize.bits := 0.U
  engine.io.control := 0.U.asTypeOf(engine.io.control)
  engine.io.control.arm := io.arm
  io.initialised := engine.io.status.initialised
  io.keyed := engine.io.status.usable(KeySlot.static) && engine.io.status.usable(KeySlot.dynamic)
  io.halted := engine.io.status.halted
  io.steered := engine.io.statistics.steeredWrites

  private val random = Module(new RandomBits(8))
  random.io.load := io.load
  random.io.seed := io.seed
  private val take = new RandomTaker(random.io.bits)
  engine.io.control.flush := io.run && take.oneOf(9)

  // Moods
  private val changes = io.load || take.oneOf(9)
  private def mood(n: Int): UInt = RegEnable(take(n), changes)
  private val (reach, order, manyIds, haste, pace) = (mood(2), mood(2), mood(2), mood(2), mood(2))
  private val (walk, base) = (Reg(UInt(blockBits.W)), mood(blockBits - 1)) // the lower half of the bank has data alone
  private def within(block: UInt): UInt =
    base ^ (block & VecInit(Seq(3, 15, 127, (1 << blockBits) - 1).map(_.U(blockBits.W)))(reach))
  private def anyBlock(): UInt = within(take(blockBits))

  // Hints: of a loop that walks up or down, or of any block
  private val hint = engine.io.hint.get
  private val increments = take(9) < VecInit(Seq(1, 8, 32, 128).map(_.U(9.W)))(haste)
  private val kind = take(3)
  private val fewIds = Cat(0.U(3.W), take(1), 0.U(2.W), take(1))
  hint.valid := io.run && take(3) <= pace
  hint.bits.kind := Mux(
    increments,
    CounterHint.next.U,
    Mux(kind === 0.U, CounterHint.load.U, Mux(kind === 1.U, take(2), CounterHint.store.U))
  )
  hint.bits.block := Mux(order(1) && !take.oneOf(3), walk, anyBlock())
  private val manyId = take(CounterHint.idBits)
  hint.bits.id := Mux(manyIds === 0.U, manyId, fewIds)
  private val isStore = hint.valid && hint.bits.kind === CounterHint.store.U
  when(io.load || changes) { walk := anyBlock() }
    .elsewhen(isStore) { walk := Mux(order(0), walk + 1.U, walk - 1.U) }
  private val hints = RegInit(0.U(64.W))
  when(hint.valid) { hints := hints + 1.U }
  io.hints := hints

  // Accesses: of a block that had a hint just now, or of any block
  private val hinted = Reg(Vec(4, UInt(blockBits.W)))
  when(isStore) {
    hinted.zip(hint.bits.block +: hinted.init).foreach { case (to, from) => to := from }
  }
  private val request = engine.io.client.request
  private val clientBusy = RegInit(0.U((1 << p.client.idBits).W))
  private val id = take(p.client.idBits)
  private val which = take(3)
  private val block = Mux(which < 4.U, hinted(which(1, 0)), Mux(which < 6.U, hint.bits.block, anyBlock()))
  request.valid := io.run && !clientBusy(id) && (block << 3).asUInt < p.layout.dataBytes.U
  request.bits := 0.U.asTypeOf(request.bits)
  request.bits.write := !take.oneOf(2)
  request.bits.address := block << 3
  request.bits.size := 3.U
  request.bits.id := id
  request.bits.mask := 255.U
  private val response = engine.io.client.response
  response.ready := true.B
  clientBusy := (clientBusy | Mux(request.valid && request.ready, UIntToOH(id), 0.U)) &
    (~Mux(response.valid, UIntToOH(response.bits.id), 0.U)).asUInt

  // Memory
  private val asked = engine.io.memory.request
  private val capacity = rows * rowOf
  private val logged = RegInit(0.U(log2Ceil(capacity + 1).W))
  private val pending = RegInit(0.U((1 << p.memory.idBits).W))
  private val ofId = Reg(Vec(1 << p.memory.idBits, asked.bits.cloneType))
  private val pairs = Mem((p.bank.localBytes / 8).toInt, UInt(64.W))
  private val word = asked.bits.address >> 3
  asked.ready := logged < capacity.U && !io.empty && !take.oneOf(2)
  private val taken = asked.valid && asked.ready
  when(taken) { ofId(asked.bits.id) := asked.bits }
  when(taken && asked.bits.write) {
    val bytes = FillInterleaved(8, asked.bits.mask)
    pairs.write(word, (pairs.read(word) & ~bytes) | (asked.bits.data & bytes))
  }
  private val answer = engine.io.memory.response
  // The next that waits, from any on
  private val from = take(p.memory.idBits)
  private val chosen =
    (from + PriorityEncoder((Fill(2, pending) >> from)((1 << p.memory.idBits) - 1, 0)))(p.memory.idBits - 1, 0)
  private val of = ofId(chosen)
  answer.valid := pending(chosen) && !take.oneOf(2)
  answer.bits := 0.U.asTypeOf(answer.bits)
  answer.bits.write := of.write
  answer.bits.id := chosen
  answer.bits.size := of.size
  private val truth = pairs.read(of.address >> 3)
  private val another = pairs.read((p.layout.counterBase / 8).U + within(take(blockBits))(blockBits - 1, 1))
  private val toCome = Fill(2, Cat(0.U(1.W), fewIds, take(5) + 0.U(CounterHint.valueBits.W)))
  answer.bits.data := VecInit(Seq(truth, truth, truth, truth, another, toCome, 0.U, take(64)))(take(3))
  pending := (pending | Mux(taken, UIntToOH(asked.bits.id), 0.U)) &
    (~Mux(answer.valid && answer.ready, UIntToOH(chosen), 0.U)).asUInt

  // The log
  private val log = Seq.fill(rowOf)(Mem(rows, UInt(recordBits.W)))
  private val isRecord = taken && asked.bits.write && asked.bits.address < p.layout.dataBytes.U
  for ((part, i) <- log.zipWithIndex) {
    when(isRecord && logged(log2Ceil(rowOf) - 1, 0) === i.U) {
      part.write(logged >> log2Ceil(rowOf), Cat(word.pad(32), asked.bits.data))
    }
  }
  logged := Mux(io.empty, 0.U, logged) + isRecord
  io.logged := logged
  io.records := Cat(log.map(_.read(io.row)).reverse)
}

object SteeringAdversary {
  val recordsInRow = 16

  /** Block, 32 bits, and pad. */
  val recordBits = 32 + 64
}
