package hauberk.instruction

import chisel3._
import chisel3.util._
import hauberk.crypto.KeyWrite

/** A whole key on its way into a slot. */
class KeyCommit(val p: EmuParams) extends Bundle {
  val slot = UInt(PageMapping.numberBits.W)
  val key = UInt(128.W)
}

/** Key table control unit (section III-D): takes a key and its slot from the key unit, and writes it to the key tables, word by word, after
  * what was in the slot is gone. Slot 0, and those there are not, are refused. Write-only; `busy` until the key can be used.
  */
class KeyTableControl(val p: EmuParams) extends Module {
  val io = IO(new Bundle {
    val commit = Flipped(Valid(new KeyCommit(p)))

    /** In the cycle of the commit. */
    val error = Output(UInt(EmuError.width.W))
    val busy = Output(Bool())

    /** By slot: all ciphers have a key in it. */
    val usable = Input(Vec(p.keySlots, Bool()))
    val key = Valid(new KeyWrite(p.keySlots, 128))
    val zeroize = Valid(UInt(p.slotBits.W))
  })
  private val key = RegInit(0.U(128.W))
  private val slot = Reg(UInt(p.slotBits.W))
  private val left = RegInit(0.U(2.W))
  private val awaited = RegInit(false.B)
  private val exists = io.commit.bits.slot =/= 0.U && io.commit.bits.slot < p.keySlots.U
  private val takes = io.commit.valid && exists && !io.busy

  io.error := Mux(exists, EmuError.none.U, EmuError.badSlot.U)
  io.busy := awaited
  io.zeroize.valid := takes
  io.zeroize.bits := io.commit.bits.slot(p.slotBits - 1, 0)
  io.key.valid := left =/= 0.U
  io.key.bits.slot := slot
  io.key.bits.word := left === 1.U
  io.key.bits.data := key(127, 64)
  when(takes) {
    key := io.commit.bits.key
    slot := io.commit.bits.slot(p.slotBits - 1, 0)
    left := 2.U
    awaited := true.B
  }.elsewhen(left === 0.U && io.usable(slot)) { awaited := false.B }
  when(left =/= 0.U) {
    key := Cat(key(63, 0), 0.U(64.W))
    left := left - 1.U
  }
}
