package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto._

/** An operation on an entry of the table: its group, its members (a bit a PID), and its authentication interval in transfers. */
class GroupCommand(val p: BusParams) extends Bundle {
  val operation = UInt(GroupOperation.width.W)
  val group = UInt(p.gidBits.W)
  val members = UInt(p.members.W)
  val interval = UInt(32.W)
}

/** An entry as the unit reads it. */
class GroupEntry(val p: BusParams) extends Bundle {
  val occupied = Bool()

  /** This group's row of the group-processor bit matrix; zero where this member is not one of them. */
  val row = UInt(p.members.W)
  val interval = UInt(32.W)

  /** To be open, with the key there. */
  val wanted = Bool()

  /** Zero unless it is wanted. */
  val key = UInt(128.W)
}

/** The group-processor bit matrix and what software may set of the group information table (sections 5.1 and 5.2).
  *
  * A command is done, or refused, in the cycle it comes. Every member learns of every group, so that an entry is in use everywhere; a member
  * that does not belong to it has a row of zeros and takes no key. Keys are written, never read, and cannot be exchanged while the group
  * is open.
  */
class GroupTable(val p: BusParams) extends Module {
  private val groups = p.secure.groups
  val io = IO(new Bundle {
    val pid = Input(UInt(p.pidBits.W))
    val command = Flipped(Valid(new GroupCommand(p)))

    /** Of the command of this cycle: [[GroupRefusal]]. */
    val refusal = Output(UInt(GroupRefusal.width.W))
    val keyWrite = Flipped(Valid(new KeyWrite(groups, 128)))

    /** Of the key word of this cycle. */
    val keyRefusal = Output(UInt(GroupRefusal.width.W))
    val entries = Output(Vec(groups, new GroupEntry(p)))

    /** Of each group: all that passed is authenticated; and it cannot end, because that is not so, or more of a message is to come. */
    val settled = Input(Vec(groups, Bool()))
    val busy = Input(Vec(groups, Bool()))

    /** A group leaves, and one comes back; [[GroupSwap]]. */
    val swapBusy = Input(Bool())
    val leave = Valid(new GroupContext(p))
    val back = Flipped(Valid(new GroupContext(p)))

    /** Of the context that comes back in this cycle. */
    val backRefusal = Output(UInt(GroupRefusal.width.W))
  })
  private val occupied = RegInit(VecInit(Seq.fill(groups)(false.B)))
  private val rows = RegInit(VecInit(Seq.fill(groups)(0.U(p.members.W))))
  private val intervals = RegInit(VecInit(Seq.fill(groups)(0.U(32.W))))
  private val opened = RegInit(VecInit(Seq.fill(groups)(false.B)))
  private val keys = Module(new KeyTable(groups, 128, groups, AesDirection.Encrypt, SBoxStyle.Table))

  private val command = io.command.bits
  private val exists = command.group < groups.U
  private val belongs = command.members(io.pid)
  private val isMember = Choose(rows, command.group)(io.pid)
  private def is(operation: Int): Bool = io.command.valid && command.operation === operation.U
  private val ends = is(GroupOperation.release) || is(GroupOperation.swapOut)
  private val refusal = MuxCase(
    GroupRefusal.none.U,
    Seq(
      (!exists || command.operation > GroupOperation.swapOut.U) -> GroupRefusal.unknown.U,
      (is(GroupOperation.allocate) && Choose(occupied, command.group)) -> GroupRefusal.occupied.U,
      (is(GroupOperation.allocate) && PopCount(command.members) < 2.U) -> GroupRefusal.members.U,
      (is(GroupOperation.allocate) && command.interval === 0.U) -> GroupRefusal.interval.U,
      (!is(GroupOperation.allocate) && !Choose(occupied, command.group)) -> GroupRefusal.free.U,
      ((is(GroupOperation.open) || is(GroupOperation.swapOut)) && isMember && !Choose(
        keys.io.usable,
        command.group
      )) -> GroupRefusal.noKey.U,
      (is(GroupOperation.swapOut) && isMember && (io.swapBusy || !Choose(
        io.settled,
        command.group
      ))) -> GroupRefusal.busy.U,
      (ends && isMember && Choose(io.busy, command.group)) -> GroupRefusal.busy.U
    )
  )
  io.refusal := Mux(io.command.valid, refusal, GroupRefusal.none.U)
  private val done = io.command.valid && refusal === GroupRefusal.none.U

  // A context that comes back takes its entry with the key in two words, of which the second follows by itself
  private val back = io.back.bits
  private val restores = RegInit(false.B)
  private val restored = RegInit(0.U.asTypeOf(new GroupContext(p)))
  io.backRefusal := Mux(
    io.back.valid && (Choose(occupied, back.group) || io.command.valid || io.keyWrite.valid),
    GroupRefusal.occupied.U,
    GroupRefusal.none.U
  )
  private val comes = io.back.valid && io.backRefusal === GroupRefusal.none.U
  restores := comes
  restored := Mux(comes, back, 0.U.asTypeOf(new GroupContext(p)))
  for (group <- 0 until groups) {
    val mine = done && command.group === group.U
    when(mine && is(GroupOperation.allocate)) {
      occupied(group) := true.B
      rows(group) := Mux(belongs, command.members, 0.U)
      intervals(group) := command.interval
    }
    when(mine && is(GroupOperation.open)) { opened(group) := isMember }
    when(mine && ends) {
      occupied(group) := false.B
      rows(group) := 0.U
      opened(group) := false.B
    }
    when(comes && io.back.bits.group === group.U) {
      occupied(group) := true.B
      rows(group) := io.back.bits.row
      intervals(group) := io.back.bits.interval
    }
  }

  private val write = io.keyWrite.bits
  private val writable = write.slot < groups.U
  io.keyRefusal := MuxCase(
    GroupRefusal.none.U,
    Seq(
      !io.keyWrite.valid -> GroupRefusal.none.U,
      !writable -> GroupRefusal.unknown.U,
      restores -> GroupRefusal.busy.U,
      !Choose(occupied, write.slot) -> GroupRefusal.free.U,
      !Choose(rows, write.slot)(io.pid) -> GroupRefusal.members.U,
      Choose(opened, write.slot) -> GroupRefusal.open.U
    )
  )
  keys.io.write.valid := (io.keyWrite.valid && io.keyRefusal === GroupRefusal.none.U) || comes || restores
  keys.io.write.bits := write
  when(comes || restores) {
    keys.io.write.bits.slot := Mux(comes, back.group, restored.group)
    keys.io.write.bits.word := restores
    keys.io.write.bits.data := Mux(comes, back.key(127, 64), restored.key(63, 0))
  }
  keys.io.zeroize.valid := done && ends
  keys.io.zeroize.bits := command.group
  io.leave.valid := done && is(GroupOperation.swapOut) && isMember
  io.leave.bits.group := command.group
  io.leave.bits.row := Choose(rows, command.group)
  io.leave.bits.interval := Choose(intervals, command.group)
  io.leave.bits.key := Mux(io.leave.valid, Choose(keys.io.read.map(_.key), command.group), 0.U)
  for ((entry, group) <- io.entries.zipWithIndex) {
    keys.io.read(group).slot := group.U
    keys.io.read(group).decrypt := false.B
    entry.occupied := occupied(group)
    entry.row := rows(group)
    entry.interval := intervals(group)
    entry.wanted := opened(group) && keys.io.usable(group)
    entry.key := Mux(entry.wanted, keys.io.read(group).key, 0.U)
  }
}
