package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** A write that waits for the re-encryption of a page to end. */
class DeferredWrite(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val block = UInt(p.core.blockIndexBits.W)
}

/** Writes that found no successor of their minor counter while a page was being re-encrypted. They look up again when that is over; and
  * before, if it is their block that the page still waits for, because the re-encryption of a block waits for older writes of it. Every write
  * in flight has a place.
  *
  * @param lineBits width of a page's number
  */
class DeferredWrites(p: Geometry, lineBits: Int) extends Module {
  private val writes = p.writes
  private val indexBits = math.max(1, log2Ceil(writes))
  val io = IO(new Bundle {
    val put = Flipped(Valid(new DeferredWrite(p)))

    /** The page that is being re-encrypted, as in [[PageReencryption]]. */
    val active = Input(Bool())
    val line = Input(UInt(lineBits.W))
    val isDone = Input(UInt(SplitLine.blocks.W))

    /** Give all of them back, for any active page. */
    val all = Input(Bool())
    val again = Decoupled(new DeferredWrite(p))

    /** Some write is put aside. */
    val busy = Output(Bool())
  })
  private val valid = RegInit(VecInit(Seq.fill(writes)(false.B)))
  private val deferred = Reg(Vec(writes, new DeferredWrite(p)))
  private val may = (0 until writes).map { i =>
    val block = deferred(i).block
    val isAwaited = SplitLine.pageOf(block) === io.line && !io.isDone(SplitLine.wordOf(block))
    valid(i) && (!io.active || isAwaited || io.all)
  }
  private val index = PriorityEncoder(may)
  io.again.valid := may.reduce(_ || _)
  io.again.bits := deferred(index)
  io.busy := valid.reduce(_ || _)
  when(io.again.valid && io.again.ready) { valid(index) := false.B }
  private val into = (io.put.bits.entry - p.reads.U)(indexBits - 1, 0)
  when(io.put.valid) {
    valid(into) := true.B
    deferred(into) := io.put.bits
  }
}
