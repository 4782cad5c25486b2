package hauberk.memory.counter

import chisel3._
import chisel3.util._

/** Blocks written under an id at one value: `edge` alone, or none above it, or none below it. */
class WrittenSpan(val blockBits: Int) extends Bundle {
  val value = UInt(CounterHint.valueBits.W)
  val edge = UInt(blockBits.W)
  val up, down = Bool()
}

/** Knows of a pair of id and register value whether it is new for a block. Exact where it says yes; it may say no of a new pair.
  *
  * Values of a register only grow, so a pair is new if nothing was written under its id since the register had this value. Else it is new if all blocks that
  * were written under it since lie below this one, or all above: a loop over an array. Else it is new if its place in the filter does not have this
  * value: each place, found by a hash of block and id, keeps the last value that was used there. Nothing is ever taken out, because a value that has passed
  * never returns.
  *
  * After reset it clears itself, an entry a cycle, and says no meanwhile.
  *
  * @param g         sizes
  * @param blockBits width of a block's number
  */
class FreshPairs(g: CompilerCounters, blockBits: Int) extends Module {
  val io = IO(new Bundle {
    val block = Input(UInt(blockBits.W))
    val id = Input(UInt(CounterHint.idBits.W))

    /** The value of the id's register, never 0. */
    val value = Input(UInt(CounterHint.valueBits.W))

    /** In the same cycle. */
    val fresh = Output(Bool())

    /** The pair is used for the block; only if it is fresh. */
    val use = Input(Bool())

    /** It is being cleared. */
    val busy = Output(Bool())
  })

  private val spanBits = CounterHint.valueBits + blockBits + 2
  private val spans = Mem(g.ids, UInt(spanBits.W))
  private val filterBits = log2Ceil(g.filter)
  private val registerBits = log2Ceil(g.registers)
  private val places = g.registers * g.filter
  private val used = Mem(places, UInt(CounterHint.valueBits.W))
  private val entries = math.max(g.ids, places)
  private val clearing = RegInit(0.U(log2Ceil(entries + 1).W))
  private val cleared = clearing === entries.U
  io.busy := !cleared
  when(!cleared) { clearing := clearing + 1.U }

  private val span = spans.read(io.id).asTypeOf(new WrittenSpan(blockBits))
  private val isFirst = span.value =/= io.value
  private val above = io.block > span.edge && !span.down
  private val below = io.block < span.edge && !span.up

  // Neighbouring blocks are in different places, and so are the ids of one block
  private val sub = (io.id >> registerBits).asUInt
  private val place = (FoldedBlock(io.block, filterBits) ^ (sub << 1).asUInt)(filterBits - 1, 0)
  private val at = Cat(CounterHint.registerOf(io.id, g.registers), place)(math.max(1, log2Ceil(places)) - 1, 0)
  private val isUnused = used.read(at) =/= io.value
  io.fresh := cleared && (isFirst || above || below || isUnused)

  // A block between the others, which the filter knows to be new, leaves the edge where it is
  private val next = Wire(new WrittenSpan(blockBits))
  next.value := io.value
  next.edge := Mux(isFirst || above || below, io.block, span.edge)
  next.up := !isFirst && (above || span.up)
  next.down := !isFirst && (below || span.down)
  when(!cleared || io.use) {
    spans.write(Mux(cleared, io.id, clearing)(math.max(1, log2Ceil(g.ids)) - 1, 0), Mux(cleared, next.asUInt, 0.U))
    used.write(Mux(cleared, at, clearing)(math.max(1, log2Ceil(places)) - 1, 0), Mux(cleared, io.value, 0.U))
  }
}
