package hauberk.memory.region

import chisel3._
import chisel3.util._
import hauberk.memory.common.{Geometry, KeySlot}
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.counter.CounterResult

/** Ports of the [[RegionFilter]]. */
class RegionFilterIO(val p: Geometry) extends Bundle {
  val write =
    if (p.regions.entries == 0) None
    else Some(Flipped(Valid(new RegionWrite(p.regions, RegionTable.granuleBits(p.regions, p.core)))))

  /** From the transactions. */
  val lookup = new Bundle {
    val valid = Input(Bool())
    val write = Input(Bool())
    val block = Input(UInt(p.core.blockIndexBits.W))
    val entry = Input(UInt(p.entryBits.W))
    val answer = Output(new LookupAnswer)
  }
  val result = Valid(new CounterResult(p))

  /** The result is that of a block that stays in plaintext. */
  val plain = Output(Bool())

  /** The counter store, which sees the look-ups of protected blocks alone. */
  val store = new Bundle {
    val valid = Output(Bool())
    val answer = Input(new LookupAnswer)
    val result = Flipped(Valid(new CounterResult(p)))
  }
}

/** Stands between the transactions and the counter store, and knows the regions. Look-ups of plaintext blocks never reach the store (Yang
  * section 4.3) and are answered in the next cycle in which the store gives no result. Results for blocks of another context name that
  * context's dynamic key. Without regions it is wires.
  */
class RegionFilter(p: Geometry) extends Module {
  val io = IO(new RegionFilterIO(p))
  io.store.valid := io.lookup.valid
  io.lookup.answer := io.store.answer
  io.result := io.store.result
  io.plain := false.B

  for (write <- io.write) {
    val table = Module(new RegionTable(p.regions, p.core, lookups = 1))
    table.io.write := write
    table.io.lookup(0).block := io.lookup.block
    val kind = table.io.lookup(0).kind

    val waits = RegInit(false.B)
    val waiting = Reg(UInt(p.entryBits.W))
    val takes = io.lookup.valid && kind.plain && !(waits && io.store.result.valid)
    io.store.valid := io.lookup.valid && !kind.plain
    when(kind.plain) {
      io.lookup.answer.accepted := takes
      io.lookup.answer.blocked := false.B
    }
    waits := takes || (waits && io.store.result.valid)
    when(takes) { waiting := io.lookup.entry }

    val contexts = Reg(Vec(p.entries, UInt(p.regions.contextBits.W)))
    when(io.lookup.valid && io.lookup.answer.accepted) { contexts(io.lookup.entry) := kind.context }
    io.plain := waits && !io.store.result.valid
    io.result.valid := waits || io.store.result.valid
    when(io.store.result.bits.key === KeySlot.dynamic.U) {
      io.result.bits.key := KeySlot.ofContext(contexts(io.store.result.bits.entry))
    }
    when(io.plain) {
      io.result.bits.entry := waiting
      io.result.bits.counter := 0.U
      io.result.bits.key := KeySlot.static.U
      io.result.bits.direct := false.B
      io.result.bits.denied := false.B
    }
  }
}
