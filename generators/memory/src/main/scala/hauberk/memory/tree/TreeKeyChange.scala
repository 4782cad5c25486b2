package hauberk.memory.tree

import chisel3._
import hauberk.memory.common.KeySlot

/** Leads a hash tree from one key to the next while all memory is re-encrypted (AEGIS section 6.3). From the beginning on, new hashes are under
  * the new key. In the end every tag that was ever written has been written anew, or will be by a write that is in flight; so that after those
  * writes and then a flush every line that has a hash has one under the new key: no line is tried under the old one any more, and once those
  * tries are over that have begun, the old key may be zeroized. A hash that needs a zeroized key would wait for ever.
  *
  * @param writes how many can be in flight
  */
class TreeKeyChange(writes: Int) extends Module {
  val io = IO(new Bundle {

    /** Both keys are in use. */
    val rekeying = Input(Bool())

    /** The old key is needed for no block any more; stays until it is gone. Begins when `rekeying` ends. */
    val ending = Input(Bool())
    val mayZeroize = Output(Bool())

    /** The writes in flight, and those whose tag is recorded, which are not from the next cycle on. */
    val writing = Input(UInt(writes.W))
    val written = Input(UInt(writes.W))
    val flush = Output(Bool())
    val flushing = Input(Bool())

    /** A line is being tried under the old key. */
    val trying = Input(Bool())
    val keys = Output(new TreeKeys)

    /** The usable keys; `lost` when one of the two needed keys is missing: it was zeroized before `mayZeroize`, or the new one was zeroized.
      * Hashes that need it would wait for ever, and all hashes behind them: the engine halts.
      */
    val usable = Input(Vec(KeySlot.count, Bool()))
    val lost = Output(Bool())
  })
  private val slot = RegInit(KeySlot.dynamic.U(KeySlot.width.W))
  private def other(of: UInt): UInt = Mux(of === KeySlot.dynamic.U, KeySlot.spare.U, KeySlot.dynamic.U)
  private val wasEnding = RegNext(io.ending, false.B)
  private val previous = Mux(wasEnding && !io.ending, other(slot), slot)
  slot := previous
  private val asked, began, flushed = RegInit(false.B)
  private val writing = RegInit(0.U(writes.W))
  io.keys.changing := io.rekeying || (io.ending && !flushed)
  io.keys.previous := previous
  io.keys.current := Mux(io.rekeying || io.ending, other(previous), previous)

  // The write that ended the sweep had its timestamp then; its tag comes later
  writing := Mux(wasEnding, writing, io.writing) & (~io.written).asUInt
  io.flush := io.ending && wasEnding && !asked && writing === 0.U
  asked := io.ending && (asked || io.flush)
  began := asked && io.ending
  flushed := io.ending && (flushed || (began && !io.flushing))
  io.mayZeroize := io.ending && flushed && !io.trying
  private val goes = RegNext(io.mayZeroize, false.B)
  io.lost := io.ending && !(io.usable(io.keys.current) && (goes || io.usable(previous)))
}
