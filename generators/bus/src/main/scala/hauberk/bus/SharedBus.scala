package hauberk.bus

import chisel3._
import chisel3.util._

/** The shared bus: a divided clock, an arbiter, and wires.
  *
  * Carries at most one beat a bus cycle, in the cycle in which it is granted. The most urgent request wins, among equals in turn. A message
  * that has begun keeps the shared bus until its last beat. What wins and is not accepted by all blocks what is less urgent, never what is more.
  * Not trusted: members believe nothing of it that they do not check.
  */
class SharedBus(val p: BusParams) extends Module {
  val io = IO(new Bundle {
    val members = Vec(p.members, Flipped(new SharedBusPort(p)))

    /** A bus cycle ends. */
    val tick = Output(Bool())

    /** The beat on the lines, and its acceptance by all. */
    val beat = Output(new BusBeat(p))
    val shown = Output(Bool())
    val taken = Output(Bool())
  })
  private val phase = RegInit(0.U(log2Ceil(p.sharedBus.ratio).max(1).W))
  private val tick = phase === (p.sharedBus.ratio - 1).U
  phase := Mux(tick, 0.U, phase + 1.U)
  io.tick := tick

  private val holds = RegInit(false.B)
  private val holder = RegInit(0.U(p.pidBits.W))

  /** Who sent last, or tried to: the one behind it comes first among equals. */
  private val latest = RegInit(0.U(p.pidBits.W))
  private val contenders = io.members.zipWithIndex.map { case (member, pid) =>
    member.request && (!holds || holder === pid.U)
  }
  private val most = io.members.map(_.urgency).zip(contenders).map { case (urgency, contends) =>
    Mux(contends, urgency, 0.U)
  }.reduce((one, other) => Mux(one > other, one, other))
  private val equals = VecInit(io.members.zip(contenders).map { case (member, contends) =>
    contends && member.urgency === most
  })
  private val behind = VecInit(equals.zipWithIndex.map { case (equal, pid) => equal && pid.U > latest })
  private val winner = Mux(behind.asUInt.orR, PriorityEncoder(behind.asUInt), PriorityEncoder(equals.asUInt))
  private val shown = equals.asUInt.orR
  private val beat = Mux(shown, io.members(winner).beat, 0.U.asTypeOf(new BusBeat(p)))
  private val accepted = io.members.zipWithIndex.map { case (member, pid) => winner === pid.U || member.accepts }
  private val taken = tick && shown && accepted.reduce(_ && _)

  when(taken) {
    holds := !beat.last
    holder := winner
    when(beat.last) { latest := winner }
  }
  // A beat that is not accepted yields to its equals
  when(tick && shown && !taken && !holds) { latest := winner }
  for ((member, pid) <- io.members.zipWithIndex) {
    val sends = winner === pid.U
    member.tick := tick
    member.granted := taken && sends
    member.shown := shown && !sends
    member.received := Mux(member.shown, beat, 0.U.asTypeOf(new BusBeat(p)))
    member.commit := taken && !sends
  }
  io.beat := beat
  io.shown := shown
  io.taken := taken
}
