package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.common.KeySlot
import hauberk.memory.counter.CounterStoreIO

/** A counter store between any look-ups and any memory: any counter that it gives to a write, and every later one.
  *
  * @param near bits of the number of the highest block that look-ups and hints name, if not of any block
  */
abstract class CountersOfWrites(p: Protection, near: Option[Int] = None) extends Module {
  val io = IO(new CounterStoreIO(p))
  val mark = IO(Input(Bool()))
  val store = Module(p.counterStore())
  ProofEnvironment.feed(store.io, io)
  private def named(block: UInt): UInt = near.fold(block)(n => block(n - 1, 0))
  store.io.lookup.block := named(io.lookup.block)
  for ((to, from) <- store.io.hint.zip(io.hint)) { to.bits.block := named(from.bits.block) }
  ProofEnvironment.show(store.io, io)
  ProofEnvironment.memoryKeepsRules(store.io.memory, p.memory)

  // An entry asks again only when it has its answer
  private val entry = io.lookup.entry
  private val open = RegInit(0.U(p.entries.W))
  private val writes = RegInit(0.U(p.entries.W))
  private val blocks = Reg(Vec(p.entries, UInt(p.core.blockIndexBits.W)))
  private val taken = io.lookup.valid && io.lookup.answer.accepted
  assume(!io.lookup.valid || (entry < p.entries.U && !open(entry)))
  assume(!io.reencrypted.valid)
  private val result = store.io.result
  protected val gives: Bool = result.valid && !result.bits.denied && writes(result.bits.entry)
  open := (open | Mux(taken, UIntToOH(entry), 0.U)) & (~Mux(result.valid, UIntToOH(result.bits.entry), 0.U)).asUInt
  when(taken) {
    writes := writes.bitSet(entry, io.lookup.write)
    blocks(entry) := named(io.lookup.block)
  }
  protected val latest: UInt = RegInit(0.U(p.counterBits.W))
  private val seen = RegInit(false.B)
  private val first = Reg(UInt(p.counterBits.W))
  private val its = Reg(UInt(p.core.blockIndexBits.W))
  when(gives && mark && !seen) {
    seen := true.B
    first := result.bits.counter
    its := blocks(result.bits.entry)
  }
  when(gives) {
    latest := result.bits.counter
    assert(result.bits.counter =/= 0.U)
    assert(result.bits.key =/= KeySlot.static.U)
  }

  /** The counters of an earlier and of a later write, and whether both are of one block. */
  protected def earlier: UInt = first
  protected def later: UInt = result.bits.counter
  protected val isOfOneBlock: Bool = blocks(result.bits.entry) === its

  /** There is a later one in this cycle. */
  protected val hasBoth: Bool = gives && seen
}
