package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.common.{Geometry, KeySlot}

/** Re-encrypts all memory under a new key while it is in use (AEGIS section 6.3, "when the TIMER reaches its maximum value").
  *
  * When it is due, a fresh key is wanted in the slot that the present one does not take. With that, a pointer sweeps over all blocks: those
  * before it are under the new key, those behind it under the old one, and those whose timestamp is 0, under the static key, are passed
  * over. The block at the pointer is read and written back, and whoever writes it as a whole first, be it the re-encryptor or a client, moves
  * the pointer. When it has passed the last block, nothing is under the old key: no access to a block under it was in flight when the
  * write that moved the pointer past that block took its timestamp. The old key is zeroized, and the two slots change roles.
  *
  * Takes about two accesses a block that was ever written, and a look-up of every line of timestamps.
  *
  * @param perLine timestamps in a line
  */
class RekeySweep(p: Geometry, perLine: Int) extends Module {
  private val blockBits = p.core.blockIndexBits
  private val wordBits = log2Ceil(perLine)
  val io = IO(new Bundle {

    /** Few timestamps are left. */
    val due = Input(Bool())

    /** So few that no write may begin. */
    val urgent = Input(Bool())
    val usable = Input(Vec(KeySlot.count, Bool()))

    /** As in [[CounterStoreKeys]]. */
    val wanted = Valid(UInt(KeySlot.width.W))
    val zeroize = Valid(UInt(KeySlot.width.W))

    /** The present key, and the next. */
    val current = Output(UInt(KeySlot.width.W))
    val next = Output(UInt(KeySlot.width.W))

    /** Both keys are in use, as `pointer` says. */
    val sweeping = Output(Bool())
    val pointer = Output(UInt((blockBits + 1).W))

    /** A sweep starts, or has ended: from the next cycle on. */
    val starts = Output(Bool())
    val ends = Output(Bool())

    /** Asks for a line of timestamps, and learns which of them are not 0. */
    val scan = Decoupled(UInt(math.max(1, blockBits - wordBits).W))
    val scanned = Flipped(Valid(UInt(perLine.W)))

    /** The block at the pointer is being written under the new key. */
    val crossed = Input(Bool())
    val reencrypt = Decoupled(UInt(blockBits.W))
    val reencrypted = Input(Bool())

    /** Stop: something is wrong. */
    val halt = Input(Bool())

    /** A block could not be re-encrypted, or a key was lost on the way. */
    val lost = Output(Bool())

    /** It is urgent, and the key that is wanted has not come for so long that it will not come. */
    val keyless = Output(Bool())

    /** From the wait for a key on, until the old key is gone. */
    val busy = Output(Bool())
  })
  private val idle :: waitKey :: scan :: waitScan :: ask :: waitReencryption :: zeroizing :: Nil = Enum(7)
  private val state = RegInit(idle)
  private val roles = RegInit(false.B)
  private val pointer = RegInit(0.U((blockBits + 1).W))
  private val target = Reg(UInt(blockBits.W))
  private val asked = Reg(UInt(io.scan.bits.getWidth.W))
  io.current := Mux(roles, KeySlot.spare.U, KeySlot.dynamic.U)
  io.next := Mux(roles, KeySlot.dynamic.U, KeySlot.spare.U)
  private def isUsable(slot: UInt): Bool = io.usable(slot)
  private val sweeping = state === scan || state === waitScan || state === ask || state === waitReencryption
  io.sweeping := sweeping
  io.pointer := pointer

  io.wanted.valid := state === waitKey && !isUsable(io.next) && !io.halt
  io.wanted.bits := io.next
  private val waited = RegInit(0.U(RekeySweep.keyTimeoutBits.W))
  waited := Mux(io.urgent && io.wanted.valid, waited + 1.U, 0.U)
  io.keyless := waited.andR
  io.busy := state =/= idle
  io.starts := state === waitKey && isUsable(io.next) && !io.halt
  private val atEnd = pointer >= p.layout.dataBlocks.U
  io.ends := state === scan && atEnd
  io.scan.valid := state === scan && !atEnd
  io.scan.bits := pointer >> wordBits
  io.reencrypt.valid := state === ask && pointer === target
  io.reencrypt.bits := target
  // After the end, the slot to zeroize is the one that is not current any more
  io.zeroize.valid := state === zeroizing
  io.zeroize.bits := io.next

  // Of the line: from the pointer on, and not beyond the last block
  private val line = (pointer >> wordBits).asUInt
  private val ahead = VecInit((0 until perLine).map { i =>
    io.scanned.bits(i) && i.U >= pointer(wordBits - 1, 0) && Cat(line, i.U(wordBits.W)) < p.layout.dataBlocks.U
  })
  private val found = Cat(line, PriorityEncoder(ahead))

  io.lost := (sweeping && !(isUsable(io.current) && isUsable(io.next))) ||
    (state === waitReencryption && io.reencrypted && pointer === target)
  switch(state) {
    is(idle) { when(io.due && !io.halt) { state := waitKey } }
    is(waitKey) {
      when(io.starts) {
        state := scan
        pointer := 0.U
      }
    }
    is(scan) {
      when(atEnd) {
        state := zeroizing
        roles := !roles
      }.elsewhen(io.scan.ready) {
        state := waitScan
        asked := io.scan.bits
      }
    }
    is(waitScan) {
      // A client's write may have moved the pointer to the next line meanwhile
      when(io.scanned.valid && asked =/= line) { state := scan }
      when(io.scanned.valid && asked === line) {
        state := Mux(ahead.asUInt.orR, ask, scan)
        pointer := Mux(ahead.asUInt.orR, found, (line +& 1.U) << wordBits)
        target := found
      }
    }
    is(ask) {
      when(pointer =/= target) { state := scan }.elsewhen(io.reencrypt.ready) { state := waitReencryption }
    }
    is(waitReencryption) { when(io.reencrypted) { state := scan } }
    is(zeroizing) { when(!isUsable(io.next)) { state := idle } }
  }
  when(io.crossed) { pointer := pointer + 1.U }
  when(sweeping && (io.halt || io.lost)) { state := idle }
}

/** The longest wait for an urgent key. */
object RekeySweep {

  /** A key is waited for two to this power cycles when it is urgent. */
  val keyTimeoutBits = 16
}
