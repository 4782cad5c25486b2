package hauberk.tilelink.bus

import chisel3._
import chisel3.util._
import hauberk.bus._

/** Software's requests to a secure bus: commands, wrapped keys, and the groups of pages. */
class SecureBusRequests(val p: BusParams) extends Bundle {
  val command = Valid(new GroupCommand(p))

  /** The command is for a group that does not exist. */
  val unknown = Output(Bool())
  val wrapped = Output(Vec(3, UInt(64.W)))

  /** Load the wrapped key for a group, by PID. */
  val load = Output(Vec(p.members, Valid(UInt(p.gidBits.W))))

  /** New entries of the table of pages' groups. */
  val ranges = Output(Vec(p.pageRanges, Valid(new PageRange(p))))

  /** The words of contexts, by PID. */
  val contextOut = Vec(p.members, Flipped(Decoupled(UInt(64.W))))
  val contextIn = Vec(p.members, Decoupled(UInt(64.W)))
}

/** State of a secure bus that software reads. */
class SecureBusState(val p: BusParams) extends Bundle {

  /** Group 0 was opened after reset. */
  val opened = Bool()
  val keyBusy = Bool()

  /** By PID: the alarm; why the last command, the last key and the last context were refused; that the last key could not be unwrapped. */
  val alarms = Vec(p.members, UInt(BusAlarm.width.W))
  val refusals = Vec(p.members, UInt(GroupRefusal.width.W))
  val keyRefusals = Vec(p.members, UInt(GroupRefusal.width.W))
  val contextRefusals = Vec(p.members, UInt(GroupRefusal.width.W))
  val unwrapFailed = Vec(p.members, Bool())

  /** Groups in which data may pass, by PID; and the table of pages' groups. */
  val agreed = Vec(p.members, UInt(p.secure.groups.W))
  val ranges = Vec(p.pageRanges, new PageRange(p))
}

/** Connects the security hardware units of a bus to their commands: from the sequencer that opens group 0 after reset, then from software.
  *
  * Software need not be trusted with keys: they come wrapped under the device keys, and a group without key does not open. It is trusted with the table of
  * pages' groups: a page that it gives to a group is that group's to read. All members take a new entry at once. A page is given to a group only once
  * the home node has agreed on it, or its messages would wait for ever. For the same reason a group cannot be released or swapped out that an
  * entry names, or of which a message still waits; group 0 has all other pages, and stays for good. Such a command is refused by every member, as `busy`.
  */
class SecureBusControl(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val fuse = Input(new BusFusePins(p.members))
    val entropy = Flipped(Decoupled(UInt(64.W)))
    val requests = Flipped(new SecureBusRequests(p))
    val state = Output(new SecureBusState(p))
    val units = Vec(p.members, Flipped(new ShuControl(p)))

    /** Groups of which a message waits. */
    val busy = Input(UInt(p.secure.groups.W))
    val alarm = Output(new BusAlarmPins(p))

    /** Error behind each member's unit, a code of [[hauberk.bus.BusAlarm]]. */
    val faults = Input(Vec(p.members, UInt(BusAlarm.width.W)))
  })
  private val opening = Module(new BusOpening(p))
  private val opened = opening.io.done
  opening.io.fuse := io.fuse
  opening.io.refused := io.units.map(_.refusal =/= GroupRefusal.none.U).reduce(_ || _)

  // Commands
  private val ranges = Seq.fill(p.pageRanges)(RegInit(0.U.asTypeOf(new PageRange(p))))
  private val named = ranges.map(range => UIntToOH(range.group, p.secure.groups))
  private val used = named.foldLeft(1.U(p.secure.groups.W) | io.busy)(_ | _)
  private val asked = io.requests.command
  private val ends =
    asked.bits.operation === GroupOperation.release.U || asked.bits.operation === GroupOperation.swapOut.U
  private val kept = ends && (used >> asked.bits.group)(0)
  private val command = Wire(Valid(new GroupCommand(p)))
  command.valid := Mux(opened, asked.valid && !kept && !io.requests.unknown, opening.io.command.valid)
  command.bits := Mux(opened, asked.bits, opening.io.command.bits)
  for ((range, next) <- ranges.zip(io.requests.ranges)) {
    val entry = next.bits
    val agreed = (io.units(BusParams.home).agreed >> entry.group)(0)
    when(next.valid && agreed && PageRange.fits(entry.size, entry.page)) { range := entry }
    when(next.valid && entry.size === 0.U) { range := 0.U.asTypeOf(entry) }
  }

  private val loaders = Seq.fill(p.members)(Module(new GroupKeyLoader(p)))
  for ((((unit, loader), deviceKey), pid) <- io.units.zip(loaders.map(_.io)).zip(io.fuse.deviceKeys).zipWithIndex) {
    loader.deviceKey := deviceKey
    loader.keyValid := io.fuse.valid
    loader.wrapped := io.requests.wrapped
    loader.start := io.requests.load(pid)
    unit.command := command
    unit.fault := io.faults(pid)
    unit.keyWrite := Mux(opened, loader.write, opening.io.keyWrite)
    // Queues, so that the acceptance of a word does not depend on requests of the same cycle
    unit.contextIn <> Queue(io.requests.contextIn(pid), 1)
    io.requests.contextOut(pid) <> Queue(unit.contextOut, 1)

    io.state.refusals(pid) := latest(
      Mux(io.requests.unknown, GroupRefusal.unknown.U, Mux(kept, GroupRefusal.busy.U, unit.refusal)),
      opened && asked.valid
    )
    io.state.keyRefusals(pid) := latest(unit.keyRefusal, opened && loader.write.valid)
    io.state.contextRefusals(pid) := latest(unit.contextRefusal, unit.contextJudged)
    io.state.unwrapFailed(pid) := loader.failed
    io.state.alarms(pid) := unit.alarm
    io.state.agreed(pid) := unit.agreed
  }
  io.state.opened := opened
  io.state.keyBusy := loaders.map(_.io.busy).reduce(_ || _)
  io.state.ranges.zip(ranges).foreach { case (shown, range) => shown := range }
  ShareEntropy(io.entropy, io.units.map(_.random))

  private def latest(refusal: UInt, judged: Bool): UInt = {
    val register = RegInit(GroupRefusal.none.U(GroupRefusal.width.W))
    when(judged) { register := refusal }
    register
  }

  private val alarm = RegInit(0.U.asTypeOf(new BusAlarmPins(p)))
  private val raised = io.units.map(_.alarm =/= BusAlarm.none.U)
  when(raised.reduce(_ || _) && !alarm.raised) {
    alarm.raised := true.B
    alarm.pid := PriorityEncoder(raised)
    alarm.cause := PriorityMux(raised, io.units.map(_.alarm))
  }
  io.alarm := alarm
}

/** Distributes words of entropy to requesters, round robin. */
private[tilelink] object ShareEntropy {
  def apply(source: DecoupledIO[UInt], sinks: Seq[DecoupledIO[UInt]]): Unit = {
    val latest = RegInit(0.U(log2Ceil(sinks.size).max(1).W))
    val asking = VecInit(sinks.map(_.ready)).asUInt
    val behind = VecInit(sinks.indices.map(i => asking(i) && i.U > latest)).asUInt
    val turn = Mux(behind.orR, PriorityEncoder(behind), PriorityEncoder(asking))
    source.ready := asking.orR
    for ((sink, i) <- sinks.zipWithIndex) {
      sink.valid := source.valid && turn === i.U
      sink.bits := source.bits
    }
    when(source.valid && source.ready) { latest := turn }
  }
}
