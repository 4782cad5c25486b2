package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.common.Geometry

/** Ports of the [[ReadUnit]]. */
class ReadUnitIO(val p: Geometry) extends TransactionUnitIO(p, p.reads, p.writes) {

  /** A new read, with the older writes of its block, and the work already done on entry. */
  val take = Flipped(Decoupled(new ReadTake(p)))
  val takeAfter = Input(UInt(p.writes.W))

  /** There is room beside what is kept for a re-encryption. */
  val spare = Output(Bool())

  /** Writes that reads in flight wait for. */
  val waitsFor = Output(UInt(p.writes.W))

  /** Old bytes of a partial write's block, once all are there (`mergeable`, by write). */
  val merge = Valid(new MergeBeat(p))
  val mergeable = Input(UInt(p.writes.W))

  /** A flag of a read in flight is neither set nor clear. */
  val faulty = Output(Bool())
  val owner = p.asksOwners.map(entryBits => new OwnerPort(entryBits, p.core.blockIndexBits))

  /** Reads of which something is in use without a verdict; those for which it is late, and the block of one of them. */
  val unverified = Output(UInt(p.reads.W))
  val late = Input(UInt(p.reads.W))
  val lateBlock = Output(UInt(p.core.blockIndexBits.W))

  /** Blocks of the encrypted image; an unwritten block behind them is zero. */
  val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
}
