package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** The pairs that a program steers: its counter registers, its hints, and what is known of the pairs that were used.
  *
  * An access is announced in the cycle in which its look-up is accepted. What a read expects is told at once, so that its pad is begun without delay; the pair
  * of a write in the next cycle, in which registers have their present values.
  */
class SteeredPairs(p: Geometry, g: CompilerCounters) extends Module {
  private val blockBits = p.core.blockIndexBits
  val io = IO(new Bundle {
    val hint = Flipped(Valid(new CounterHint(blockBits)))
    val access = new Bundle {
      val valid = Input(Bool())
      val write = Input(Bool())
      val block = Input(UInt(blockBits.W))
    }

    /** The pair that the hint of a read expects, in the cycle of the access; none without a hint. */
    val expected = Valid(UInt(CompilerCounters.pairBits.W))

    /** The pair that a block will probably have when the load of this hint comes; in the cycle of the hint. */
    val coming = Valid(UInt(CompilerCounters.pairBits.W))

    /** The pair that a write gets in the next cycle, which its block never had; none without a hint, or if that is not known. */
    val steered = Valid(UInt(CompilerCounters.pairBits.W))

    /** A hint names an id or a register that does not exist; it is ignored. */
    val ignored = Output(Bool())

    /** Tables are being cleared. */
    val busy = Output(Bool())
  })
  for ((what, places) <- Seq("load hints" -> g.loadHints, "store hints" -> g.storeHints, "filter entries" -> g.filter))
    require(
      places <= (BigInt(1) << blockBits),
      s"$places $what are more than the bank has blocks, which are ${BigInt(1) << blockBits}: use fewer"
    )
  private def isKind(kind: Int): Bool = io.hint.bits.kind === kind.U
  private val isNext = isKind(CounterHint.next)
  private val isAccess = isKind(CounterHint.load) || isKind(CounterHint.store)
  private val idExists = io.hint.bits.id < g.ids.U
  private val registerExists = io.hint.bits.id < g.registers.U
  io.ignored := io.hint.valid && !((isAccess && idExists) || (isNext && registerExists))

  // Value 0 is never used, so that no pair is 0; the last value is of a register that is used up
  private val last = ((BigInt(1) << g.valueBits) - 1).U
  private val values = RegInit(VecInit(Seq.fill(g.registers)(1.U(g.valueBits.W))))
  for ((value, i) <- values.zipWithIndex) {
    when(io.hint.valid && isNext && io.hint.bits.id === i.U && value =/= last) { value := value + 1.U }
  }

  private val loads = Module(new HintTable(g.loadHints, blockBits))
  private val stores = Module(new HintTable(g.storeHints, blockBits))
  for (
    (table, kind, mine) <-
      Seq((loads, CounterHint.load, !io.access.write), (stores, CounterHint.store, io.access.write))
  ) {
    table.io.put.valid := io.hint.valid && isKind(kind) && idExists
    table.io.put.bits := io.hint.bits
    table.io.access.valid := io.access.valid && mine
    table.io.access.bits := io.access.block
  }
  private def valueOf(id: UInt): UInt = values(CounterHint.registerOf(id, g.registers))
  private def pair(id: UInt): UInt = Cat(0.U(1.W), id, valueOf(id) + 0.U(CounterHint.valueBits.W))
  io.expected.valid := loads.io.found.valid
  io.expected.bits := pair(loads.io.found.bits)

  io.coming.valid := io.hint.valid && isKind(CounterHint.load) && idExists
  io.coming.bits := pair(io.hint.bits.id)

  private val fresh = Module(new FreshPairs(g, blockBits))
  private val hinted = RegNext(stores.io.found.valid, false.B)
  private val id = RegEnable(stores.io.found.bits, stores.io.found.valid)
  private val value = valueOf(id)
  fresh.io.block := RegNext(io.access.block)
  fresh.io.id := id
  fresh.io.value := value
  fresh.io.use := io.steered.valid
  io.steered.valid := hinted && value =/= last && fresh.io.fresh
  io.steered.bits := pair(id)
  io.busy := loads.io.busy || stores.io.busy || fresh.io.busy
}
