package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.AesResponse

/** Ports of an [[Authenticator]]. */
class AuthenticatorIO(val p: BusParams, val tagBits: Int) extends Bundle {
  val pid = Input(UInt(p.pidBits.W))
  val tick = Input(Bool())

  /** The group has been set up. */
  val open = Input(Bool())
  val members = Input(UInt(p.members.W))

  /** Transfers between two authentications, 1 or more. */
  val interval = Input(UInt(32.W))
  val tagKey = Input(UInt(128.W))

  /** A transfer passes; `boundary` answers in the same cycle that what passed up to and including it is to be authenticated, and comes
    * without one, too.
    */
  val transfer = Input(Bool())
  val boundary = Output(Bool())

  /** The MACs up to the boundaries, in their order. */
  val summary = Flipped(Valid(UInt(128.W)))
  val service = Decoupled(new ServiceRequest(tagBits))
  val answer = Flipped(Valid(new AesResponse(tagBits)))

  /** Another member has shown a good MAC since the set-up. */
  val agreed = Output(Bool())

  /** All that passed is authenticated, and two members have shown it: so everyone has seen another's MAC. All members say so at once. */
  val settled = Output(Bool())

  /** There is room for a whole message. */
  val room = Output(Bool())

  /** It is this member's turn to show its MAC; it is on the shared bus once it is granted. */
  val asks = Output(Bool())
  val tag = Output(UInt(BusTag.width.W))
  val granted = Input(Bool())

  /** A member shows a MAC. A MAC out of turn is received, and detected, at once. */
  val source = Input(UInt(p.pidBits.W))
  val received = Input(UInt(BusTag.width.W))
  val accepts = Output(Bool())
  val commit = Input(Bool())

  val mismatch = Output(Bool())
  val outOfTurn = Output(Bool())

  /** For as long as `timeout` there was no good authentication. */
  val silent = Output(Bool())

  /** An authentication was shown and was good. */
  val authenticated = Output(Bool())
}

/** The part of a MAC that is shown. */
object BusTag {
  val width = 64
}

/** Compares the MACs of the members of a group at intervals of transfers (section 4.3).
  *
  * Members see the same transfers, so each knows when a MAC is due, and shows or expects it; they take turns in showing it. It is
  * enciphered on its way out, with its number, so that it says nothing of the chains that go on from it, nor is an old one good for
  * members that have seen nothing since. While it is made and shown, transfers go on, up to
  * `window` of them. Also due is one when there was none for `heartbeat` bus cycles, because an attacker that drops everything stops all
  * transfers; a member that has not seen a good one for `timeout` bus cycles raises the alarm.
  */
class Authenticator(val p: BusParams, tagBits: Int) extends Module {
  val io = IO(new AuthenticatorIO(p, tagBits))
  private val s = p.secure
  private val most = s.window + 1 // MACs on their way: at an interval of 1, each of a transfer

  /** MACs that are due and not shown yet: for each, the transfers since the one before it. */
  private val lengths = Module(new Queue(UInt(32.W), most))
  private val tags = Module(new Queue(UInt(BusTag.width.W), most))
  // One at a time leaves by the next bus cycle, unless other groups want the cipher, too
  private val summaries = Module(new ErasingQueue(UInt(128.W), if (s.groups == 1) 2 else most))
  private val since = RegInit(0.U(32.W))
  private val exposed = RegInit(0.U(34.W))
  private val quiet = RegInit(0.U(log2Ceil(s.timeout + 1).W))

  /** MACs of the opening: two members show one each, so that all have seen another's. */
  private val begun = RegInit(0.U(2.W))
  private val agreed = RegInit(false.B)

  /** Good MACs of all that passed, up to two; one may be this member's own, which proves nothing to it. */
  private val proofs = RegInit(0.U(2.W))
  private val turn = RegInit(0.U(p.pidBits.W))
  private val due = RegInit(0.U(log2Ceil(most + 1).W))

  /** MACs made in this session. */
  private val made = RegInit(0.U(64.W))

  // A slower cipher than the pipelines are: what they give early is not shown before its time
  private val pad = (s.aesLatency - BusParams.pipelineStages - p.steps) * (if (s.mac == BusMac.Cbc) 2 else 1)
  private val delayed = RegInit(0.U(pad.W))
  delayed := Cat(delayed(pad - 2, 0), io.answer.valid)
  private val available = RegInit(0.U(log2Ceil(most + 1).W))

  // The first MACs of a session, of no transfer, show that all have set up the same
  private val first = io.open && begun =/= 2.U && io.tick
  private val full = io.transfer && since +& 1.U >= io.interval
  // Before the first good one members need not count bus cycles from the same one on
  private val beats = io.tick && agreed && quiet === (s.heartbeat - 1).U
  io.boundary := first || full || beats
  lengths.io.enq.valid := io.boundary
  // That a transfer passes, or a MAC is good, is known last in a cycle, and so only chooses among sums
  private def counted(transfers: UInt): UInt = Mux(io.transfer, transfers + 1.U, transfers)
  lengths.io.enq.bits := counted(since)
  since := counted(since)
  when(io.boundary) { since := 0.U }

  summaries.io.enq.valid := io.summary.valid
  summaries.io.enq.bits := io.summary.bits
  io.service.valid := summaries.io.deq.valid
  io.service.bits.key := io.tagKey
  io.service.bits.block := summaries.io.deq.bits ^ made
  io.service.bits.tag := 0.U
  summaries.io.deq.ready := io.service.ready
  when(summaries.io.deq.valid && io.service.ready) { made := made + 1.U }
  tags.io.enq.valid := io.answer.valid
  tags.io.enq.bits := io.answer.bits.block(127, 128 - BusTag.width)

  private val has = available =/= 0.U && tags.io.deq.valid
  private val mine = turn === io.pid
  private val inTurn = io.source === turn && !mine
  io.asks := io.open && has && mine
  io.tag := Mux(io.asks, tags.io.deq.bits, 0.U)
  io.accepts := io.open && (has || !inTurn)
  io.outOfTurn := io.commit && !inTurn
  io.mismatch := io.commit && inTurn && (!has || io.received =/= tags.io.deq.bits)
  private val shownGood = io.commit && inTurn && has && io.received === tags.io.deq.bits
  private val good = (io.granted && io.asks) || shownGood
  io.authenticated := good
  tags.io.deq.ready := good
  lengths.io.deq.ready := good

  available := available + delayed(pad - 1) - good
  due := due + io.boundary - good
  private val unshown = exposed - lengths.io.deq.bits
  exposed := Mux(good, counted(unshown), counted(exposed))
  when(io.transfer || Mux(good, unshown =/= 0.U, exposed =/= 0.U)) { proofs := 0.U }.elsewhen(good && proofs =/= 2.U) {
    proofs := proofs + 1.U
  }
  private val later = VecInit((0 until p.members).map(pid => io.members(pid) && pid.U > turn)).asUInt
  when(shownGood) { agreed := true.B }
  when(good) {
    turn := Mux(later.orR, PriorityEncoder(later), PriorityEncoder(io.members))
  }
  when(first) { begun := begun + 1.U }
  io.silent := io.tick && begun =/= 0.U && quiet === (s.timeout - 1).U
  when(good) {
    quiet := 0.U
  }.elsewhen(io.tick && begun =/= 0.U && !io.silent) { quiet := quiet + 1.U }

  // A whole message, and a heartbeat with it
  private val message = p.lineBeats.U
  io.agreed := agreed && io.open
  io.settled := exposed === 0.U && due === 0.U && (proofs === 2.U || !io.open)
  io.room := exposed +& message <= io.interval +& s.window.U && due +& message +& 1.U <= most.U

  when(!io.open) {
    since := 0.U
    exposed := 0.U
    quiet := 0.U
    begun := 0.U
    agreed := false.B
    proofs := 0.U
    due := 0.U
    made := 0.U
    available := 0.U
    delayed := 0.U
    turn := PriorityEncoder(io.members)
    // Of the session before: gone with it
    tags.io.deq.ready := true.B
    lengths.io.deq.ready := true.B
    summaries.io.deq.ready := true.B
    io.service.valid := false.B
  }
}
