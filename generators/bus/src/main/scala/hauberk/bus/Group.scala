package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.AesResponse

/** A unit's query to a group about a beat to send, or a received one. */
class GroupQuery(val p: BusParams) extends Bundle {
  val beat = Input(new BusBeat(p))

  /** It can pass now. */
  val ready = Output(Bool())

  /** Mask of its data, if it has any. */
  val mask = Output(UInt(p.sharedBus.widthBits.W))
}

/** A group's output to the shared bus. */
class GroupSpeech extends Bundle {
  val asks = Output(Bool())
  val isSetUp = Output(Bool())

  /** All members are there, and it goes before messages. */
  val isUrgent = Output(Bool())
  val word = Output(UInt(64.W))
  val granted = Input(Bool())
}

/** Errors found by a group. */
class GroupFaults extends Bundle {
  val mismatch = Bool()
  val outOfTurn = Bool()
  val silent = Bool()
}

/** Ports of a [[Group]]. */
class GroupIO(val p: BusParams, val tagBits: Int) extends Bundle {
  val pid = Input(UInt(p.pidBits.W))
  val tick = Input(Bool())

  /** The entry of the group information table. */
  val wanted = Input(Bool())
  val members = Input(UInt(p.members.W))
  val interval = Input(UInt(32.W))
  val key = Input(UInt(128.W))
  val random = Flipped(Decoupled(UInt(64.W)))

  val own = new GroupQuery(p)
  val received = new GroupQuery(p)

  /** A transfer of the group passes, sent or received; its data as they are on the shared bus, and in the clear. */
  val transfer = Input(Bool())
  val beat = Input(new BusBeat(p))
  val plain = Input(UInt(p.sharedBus.widthBits.W))

  val speech = new GroupSpeech

  /** Somebody else's MAC or share is received, and taken. */
  val accepts = Output(Bool())
  val commit = Input(Bool())

  val job = Valid(new TransferJob(p))

  /** The cipher takes the job of a transfer; boundaries alone are few enough not to wait. */
  val jobRoom = Input(Bool())
  val results = Flipped(Vec(p.ciphers, Valid(new TransferResult(p))))
  val service = Decoupled(new ServiceRequest(tagBits))
  val answer = Flipped(Valid(new AesResponse(tagBits)))

  val open = Output(Bool())
  val agreed = Output(Bool())

  /** All that passed is authenticated, and nothing passes. */
  val settled = Output(Bool())

  /** More of a message is to come, behind what passes in this cycle. */
  val within = Output(Bool())
  val authenticated = Output(Bool())
  val faults = Output(new GroupFaults)

  /** Its key for pads over memory, and that of the first session of group 0; absent where tiles make no pads. */
  val padKey = Output(UInt(128.W))
  val firstPadKey = p.pads.map(_ => Flipped(Valid(UInt(128.W))))
}

/** All that a member keeps of a group it belongs to: masks, MAC, and what is due when. Opens by a set-up, and passes nothing until all
  * members have shown that they agree.
  *
  * @param group number of its entry in the group information table
  */
class Group(val p: BusParams, val group: Int, tagBits: Int) extends Module {
  val io = IO(new GroupIO(p, tagBits))
  private val setup = Module(new GroupSetup(p, group, tagBits))
  private val masks = Module(new MaskArray(p))
  private val mac: MacIO = p.secure.mac match {
    case BusMac.Cbc => Module(new CbcChains(p)).io
    case BusMac.Ghash => Module(new GhashChain(p)).io
  }
  private val authenticator = Module(new Authenticator(p, tagBits))
  private val keys = setup.io.keys
  private val receivedSetUp = io.received.beat.kind === FrameKind.setUp.U

  setup.io.pid := io.pid
  setup.io.tick := io.tick
  setup.io.wanted := io.wanted
  setup.io.members := io.members
  setup.io.key := io.key
  setup.io.random <> io.random
  setup.io.granted := io.speech.granted && io.speech.isSetUp
  setup.io.source := io.received.beat.source
  setup.io.received := io.received.beat.data(63, 0)
  setup.io.commit := io.commit && receivedSetUp
  setup.io.answer := io.answer
  setup.io.firstPadKey.zip(io.firstPadKey).foreach { case (inner, outer) => inner := outer }

  authenticator.io.pid := io.pid
  authenticator.io.tick := io.tick
  authenticator.io.open := setup.io.open
  authenticator.io.members := io.members
  authenticator.io.interval := io.interval
  authenticator.io.tagKey := keys.tag
  authenticator.io.granted := io.speech.granted && !io.speech.isSetUp
  authenticator.io.source := io.received.beat.source
  authenticator.io.received := io.received.beat.data(BusTag.width - 1, 0)
  authenticator.io.commit := io.commit && !receivedSetUp
  authenticator.io.answer := io.answer
  authenticator.io.summary := mac.summary

  // One of the two needs the cipher at a time: no MAC is made before the set-up is over
  io.service.valid := setup.io.service.valid || authenticator.io.service.valid
  io.service.bits := Mux(setup.io.service.valid, setup.io.service.bits, authenticator.io.service.bits)
  setup.io.service.ready := io.service.ready && setup.io.service.valid
  authenticator.io.service.ready := io.service.ready && !setup.io.service.valid
  io.service.bits.tag := !setup.io.service.valid
  setup.io.answer.valid := io.answer.valid && !io.answer.bits.tag(0)
  authenticator.io.answer.valid := io.answer.valid && io.answer.bits.tag(0)

  io.speech.asks := setup.io.asks || authenticator.io.asks
  io.speech.isSetUp := setup.io.asks
  io.speech.isUrgent := authenticator.io.asks || (setup.io.asks && setup.io.begun)
  io.speech.word := setup.io.share | authenticator.io.tag
  io.accepts := Mux(receivedSetUp, setup.io.accepts, authenticator.io.accepts)

  masks.io.clear := setup.io.clear
  masks.io.first := setup.io.first
  masks.io.results := io.results
  mac.clear := setup.io.clear
  mac.first := setup.io.first
  mac.results := io.results
  mac.hashKey := keys.hash

  /** In the middle of a message, of whose end there is always room; no message is longer than a line, whatever its beats say. */
  private val begun = RegInit(0.U(p.beatsBits.W))
  private val within = begun =/= 0.U
  private val longest = begun === (p.lineBeats - 1).U
  private def counts(beat: BusBeat): Bool =
    beat.hasData || beat.kind === FrameKind.pad.U || p.secure.authenticateCommands.B
  for ((query, mask) <- Seq(io.own -> masks.io.own, io.received -> masks.io.received)) {
    mask.source := query.beat.source
    query.mask := mask.mask
    query.ready := authenticator.io.agreed && !masks.io.exhausted && (!query.beat.hasData || mask.ready) &&
      (!counts(query.beat) || (mac.ready && io.jobRoom && (within || authenticator.io.room)))
  }

  private val counted = io.transfer && counts(io.beat)
  when(counted) { begun := Mux(io.beat.last || longest, 0.U, begun + 1.U) }
  when(setup.io.clear) { begun := 0.U }
  masks.io.use.valid := counted
  masks.io.use.bits := io.beat
  mac.use := counted
  mac.hasData := io.beat.hasData
  mac.data := io.plain
  mac.header := BusInput.header(p, io.beat)
  mac.boundary := authenticator.io.boundary
  authenticator.io.transfer := counted

  io.job.valid := (p.secure.mac match {
    case BusMac.Cbc => counted || authenticator.io.boundary
    case BusMac.Ghash => counted && io.beat.hasData
  })
  io.job.bits.group := group.U
  io.job.bits.hasData := counted && io.beat.hasData
  io.job.bits.maskPid := masks.io.pid
  io.job.bits.maskSlot := masks.io.slot
  io.job.bits.maskKey := keys.mask
  io.job.bits.masks := masks.io.inputs
  io.job.bits.chainSlot := mac.slot
  io.job.bits.chainKey := keys.mac
  io.job.bits.chains := mac.inputs
  io.job.bits.hasHeader := counted
  io.job.bits.boundary := authenticator.io.boundary

  io.open := setup.io.open
  io.agreed := authenticator.io.agreed
  io.settled := authenticator.io.settled && !io.transfer
  io.within := Mux(counted, !io.beat.last && !longest, within)
  io.authenticated := authenticator.io.authenticated
  io.padKey := keys.pad
  io.faults.mismatch := authenticator.io.mismatch
  io.faults.outOfTurn := authenticator.io.outOfTurn
  io.faults.silent := setup.io.silent || authenticator.io.silent
}
