package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.bus._
import hauberk.crypto.KeyWrite

/** Opens group 0 after reset, with every member in it, by itself: no core can run before there is a bus.
  *
  * Waits for the fuses; then gives all units the group, its key, and the command to open it, a cycle each but the last, which it repeats
  * until every unit's key is ready.
  */
class BusOpening(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val fuse = Input(new BusFusePins(p.members))

    /** Some unit refused the command of this cycle. */
    val refused = Input(Bool())
    val command = Valid(new GroupCommand(p))
    val keyWrite = Valid(new KeyWrite(p.secure.groups, 128))

    /** Every unit was told to open the group. */
    val done = Output(Bool())
  })
  private val allocate :: upperWord :: lowerWord :: open :: done :: Nil = Enum(5)
  private val state = RegInit(allocate)
  private val writes = state === upperWord || state === lowerWord

  io.command.valid := (state === allocate && io.fuse.valid) || state === open
  io.command.bits.operation := Mux(state === open, GroupOperation.open.U, GroupOperation.allocate.U)
  io.command.bits.group := 0.U
  io.command.bits.members := ((BigInt(1) << p.members) - 1).U
  io.command.bits.interval := p.secure.interval.U
  io.keyWrite.valid := writes
  io.keyWrite.bits.slot := 0.U
  io.keyWrite.bits.word := state === lowerWord
  io.keyWrite.bits.data := Mux(state === upperWord, io.fuse.groupKey(127, 64), io.fuse.groupKey(63, 0))
  when(!writes) { io.keyWrite.bits.data := 0.U }
  io.done := state === done

  switch(state) {
    is(allocate) { when(io.fuse.valid) { state := upperWord } }
    is(upperWord) { state := lowerWord }
    is(lowerWord) { state := open }
    is(open) { when(!io.refused) { state := done } }
  }
}
