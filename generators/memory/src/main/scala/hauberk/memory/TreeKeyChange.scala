package hauberk.memory

import chisel3._

/** Leads a hash tree from one key to the next while all memory is re-encrypted (AEGIS section 6.3). From the beginning on, new hashes are under
  * the new key. In the end every tag that was ever written has been written anew, so that after a flush every line that has a hash has one
  * under the new key: no line is tried under the old one any more, and once those tries are over that have begun, the old key may be retired.
  * A hash that waits for a key which is gone would wait for ever.
  */
class TreeKeyChange extends Module {
  val io = IO(new Bundle {

    /** Both keys are in use. */
    val rekeying = Input(Bool())

    /** The old key is needed for no block any more; stays until it is gone. Begins when `rekeying` ends. */
    val retires = Input(Bool())
    val mayRetire = Output(Bool())
    val flush = Output(Bool())
    val flushing = Input(Bool())

    /** A line is being tried under the old key. */
    val trying = Input(Bool())
    val keys = Output(new TreeKeys)
  })
  private val slot = RegInit(KeySlot.dynamic.U(KeySlot.width.W))
  private def other(of: UInt): UInt = Mux(of === KeySlot.dynamic.U, KeySlot.spare.U, KeySlot.dynamic.U)
  private val retired = RegNext(io.retires, false.B) && !io.retires
  private val previous = Mux(retired, other(slot), slot)
  slot := previous
  private val asked, began, flushed = RegInit(false.B)
  io.keys.changing := io.rekeying || (io.retires && !flushed)
  io.keys.previous := previous
  io.keys.current := Mux(io.rekeying || io.retires, other(previous), previous)

  io.flush := io.retires && !asked
  asked := io.retires
  began := asked && io.retires
  flushed := io.retires && (flushed || (began && !io.flushing))
  io.mayRetire := io.retires && flushed && !io.trying
}
