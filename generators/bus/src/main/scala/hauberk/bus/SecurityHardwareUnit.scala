package hauberk.bus

import chisel3._
import chisel3.util._

/** The security hardware unit (section 5, figure 4): between what a member sends and receives, and the shared bus.
  *
  * What is sent leaves in the cycle in which it would have left without, xored with a mask, and what is received is decrypted in the cycle it
  * is received, if masks are ready; else the shared bus waits. Nothing of a group passes before it is set up and agreed, and nothing without a
  * group. A beat of a group this member does not belong to, or from one who does not belong to it, is discarded. After an alarm the unit
  * neither sends nor takes anything until reset, and accepts no beat of others.
  */
class SecurityHardwareUnit(val p: BusParams) extends Module {
  private val groups = p.secure.groups
  private val tagBits = log2Ceil(groups + 1) + 1
  val io = IO(new Bundle {
    val pid = Input(UInt(p.pidBits.W))
    val sharedBus = new SharedBusPort(p)

    /** This member's outgoing beats, in plaintext. */
    val send = Flipped(Decoupled(new BusBeat(p)))

    /** What is for this member, in the clear, once `commit` says so; `accepts` answers whether it has room. */
    val receive = Output(new BusBeat(p))
    val accepts = Input(Bool())
    val commit = Output(Bool())

    /** Any member's alarm. */
    val globalAlarm = Input(Bool())
    val control = new ShuControl(p)

    /** Sent and received in group 0, to which all tiles belong, whatever the block's group: counters are of all tiles, for a page can be given to
      * another group. Absent where no tile encrypts for memory.
      */
    val pads = p.pads.map(_ => new PadSpeech(p))
  })
  private val table = Module(new GroupTable(p))
  table.io.pid := io.pid
  table.io.command := io.control.command
  table.io.keyWrite := io.control.keyWrite
  io.control.refusal := table.io.refusal
  io.control.keyRefusal := table.io.keyRefusal
  private val entries = table.io.entries

  private val alarm = RegInit(BusAlarm.none.U(BusAlarm.width.W))
  private val halted = alarm =/= BusAlarm.none.U
  private val cipher = Module(new TransferCipher(p, tagBits))
  private val members = Seq.tabulate(groups)(group => Module(new Group(p, group, tagBits)))
  private def in[T <: Data](group: UInt, field: GroupIO => T): T =
    Choose(members.map(member => field(member.io)), group)

  // Sending: MACs, and shares of set-ups that have begun, before transfers, and the first shares behind them, but none within a message
  private val sharedBus = io.sharedBus
  private val within = RegInit(false.B)
  private val speakers = members.map(_.io.speech.asks)
  private val shows = members.map(_.io.speech.isUrgent)
  private val showsAny = shows.reduce(_ || _)

  /** Of the first shares that wait, each has a bus cycle in turn, for the others of its group may not be there yet. */
  private val tried = RegInit(0.U(p.gidBits.W))
  private val untried = speakers.zipWithIndex.map { case (asks, group) => asks && group.U > tried }
  private val speaker =
    if (groups == 1) 0.U
    else
      Mux(
        showsAny,
        PriorityEncoder(shows),
        Mux(untried.reduce(_ || _), PriorityEncoder(untried), PriorityEncoder(speakers))
      )
  private val plainOut = WireInit(io.send.bits)
  private val transmits = !within && io.pads.fold(false.B)(_.transmit.valid)
  for (pads <- io.pads) {
    when(transmits) {
      plainOut := 0.U.asTypeOf(new BusBeat(p))
      plainOut.kind := FrameKind.pad.U
      plainOut.last := true.B
      plainOut.command := pads.transmit.bits.asUInt
    }
  }
  // A reply before everything else that is said of counters, for who owes one receives no further question
  private val padUrgency = Mux(
    io.pads.fold(false.B)(_.transmit.bits.kind === PadMessage.reply.U),
    Urgency.padReply.U,
    Urgency.pad.U
  )
  private val sends = transmits || io.send.valid
  private val belongs = plainOut.group < groups.U && Choose(entries.map(_.row), plainOut.group)(io.pid)
  private val ready = belongs && in(plainOut.group, _.own.ready)
  private val speaks = !within && (showsAny || (speakers.reduce(_ || _) && !(sends && ready)))
  when(sharedBus.tick && speaks && !showsAny) { tried := speaker }
  sharedBus.request := !halted && (speaks || (sends && ready))
  sharedBus.urgency := Mux(
    speaks,
    Mux(showsAny, Urgency.authentication.U, Urgency.setUp.U),
    Mux(transmits, padUrgency, Urgency.ofChannel(plainOut.channel))
  )
  sharedBus.beat := plainOut

  /** Two have the shared bus at once, and both have the same mask: the other's beat may be out, this member's is not. */
  private val collides = sharedBus.tick && sharedBus.granted && sharedBus.request && sharedBus.shown
  private val granted = sharedBus.tick && sharedBus.granted && sharedBus.request && !collides
  // Data only once they are taken (section 4.4): what is offered and not taken may be another beat in the next bus cycle, under the same
  // mask, and an observer of both would know their difference
  sharedBus.beat.data := Mux(
    plainOut.hasData && sharedBus.granted && !sharedBus.shown,
    plainOut.data ^ in(plainOut.group, _.own.mask),
    0.U
  )
  when(speaks) {
    sharedBus.beat.kind := Mux(in(speaker, _.speech.isSetUp), FrameKind.setUp.U, FrameKind.authentication.U)
    sharedBus.beat.group := speaker
    sharedBus.beat.destination := 0.U
    sharedBus.beat.channel := 0.U
    sharedBus.beat.command := 0.U
    sharedBus.beat.hasData := false.B
    sharedBus.beat.last := true.B
    sharedBus.beat.data := in(speaker, _.speech.word)
  }
  sharedBus.beat.source := io.pid
  when(!sharedBus.request) { sharedBus.beat := 0.U.asTypeOf(new BusBeat(p)) }
  private val sent = granted && !speaks
  io.send.ready := sent && !transmits
  io.pads.foreach(_.transmit.ready := sent && transmits)
  when(sent) { within := !plainOut.last }

  // Hearing
  private val received = sharedBus.received
  private val row = Choose(entries.map(_.row), received.group)
  private val mine = received.group < groups.U && row(io.pid) && VecInit((0 until p.members).map(pid =>
    row(pid) && received.source === pid.U
  )).asUInt.orR
  private val isTransfer = received.kind === FrameKind.transfer.U
  private val isPad = received.kind === FrameKind.pad.U
  private val isSpeech = received.kind === FrameKind.setUp.U || received.kind === FrameKind.authentication.U
  private val forMe = mine && isTransfer && received.destination === io.pid
  private val own = received.source === io.pid
  private val follows = Mux(
    isTransfer || isPad,
    in(received.group, _.received.ready) && (!forMe || io.accepts) && (!isPad || io.pads.fold(true.B)(_.receive.ready)),
    in(received.group, _.accepts)
  )
  // An own PID is accepted, to be found out
  sharedBus.accepts := !halted && (!sharedBus.shown || own || !mine || follows)
  private val committed = sharedBus.tick && sharedBus.commit && sharedBus.shown && !halted
  private val overrun = committed && mine && !own && !follows
  private val taken = committed && mine && !own && !overrun && !collides
  io.receive := received
  io.receive.data := Mux(received.hasData, received.data ^ in(received.group, _.received.mask), 0.U)
  io.commit := taken && forMe
  for (pads <- io.pads) {
    pads.receive.valid := taken && isPad && received.group === 0.U
    pads.receive.bits := received.command.asTypeOf(new PadMessage(p.pads.get))
    pads.source := received.source
    // Memory outlives a session
    val first = RegInit(0.U.asTypeOf(Valid(UInt(128.W))))
    when(members.head.io.agreed && !first.valid) {
      first.valid := true.B
      first.bits := members.head.io.padKey
    }
    pads.keys.head := first
    for ((key, member) <- pads.keys.zip(members).tail) {
      key.valid := member.io.agreed
      key.bits := member.io.padKey
    }
    members.foreach(_.io.firstPadKey.get := first)
  }

  // Groups
  private val passing = Mux(sent, sharedBus.beat, received)
  private val plain = Mux(sent, plainOut.data, io.receive.data)
  for ((member, group) <- members.map(_.io).zipWithIndex) {
    member.pid := io.pid
    member.tick := sharedBus.tick
    member.wanted := entries(group).wanted
    member.members := entries(group).row
    member.interval := entries(group).interval
    member.key := entries(group).key
    member.own.beat := plainOut
    member.own.beat.source := io.pid
    member.received.beat := received
    member.transfer := (sent || (taken && (isTransfer || isPad))) && passing.group === group.U
    member.beat := passing
    member.plain := plain
    member.speech.granted := granted && speaks && speaker === group.U
    member.commit := taken && isSpeech && received.group === group.U
    for ((to, from) <- member.results.zip(cipher.io.results)) {
      to.bits := from.bits
      to.valid := from.valid && from.bits.group === group.U
    }
    member.answer.bits := cipher.io.answer.bits
    member.answer.valid := cipher.io.answer.valid && (cipher.io.answer.bits.tag >> 1) === group.U
  }

  // The cipher: a transfer of one group, or boundaries of several in one bus cycle, which wait for each other
  private val jobs = Module(new Arbiter(new TransferJob(p), groups))
  for ((member, port) <- members.zip(jobs.io.in)) {
    val queue = Module(new ErasingQueue(new TransferJob(p), 2, pipe = true, flow = true))
    queue.io.enq.valid := member.io.job.valid
    queue.io.enq.bits := member.io.job.bits
    member.io.jobRoom := queue.io.count === 0.U
    port <> queue.io.deq
  }
  cipher.io.job <> jobs.io.out

  private val services = Module(new RRArbiter(new ServiceRequest(tagBits), groups + 1))
  for ((member, group) <- members.map(_.io).zipWithIndex) {
    services.io.in(group) <> member.service
    services.io.in(group).bits.tag := Cat(group.U((tagBits - 1).W), member.service.bits.tag(0))
  }
  cipher.io.service <> services.io.out

  // Groups that leave and come back
  private val swap = Module(new GroupSwap(p, tagBits))
  swap.io.pid := io.pid
  swap.io.leave := table.io.leave
  table.io.swapBusy := swap.io.busy
  table.io.back := swap.io.back
  table.io.settled := VecInit(members.map(_.io.settled))
  // After an alarm nothing is waited for
  table.io.busy := VecInit(members.map(member => (member.io.within || !member.io.settled) && !halted))
  io.control.contextOut <> swap.io.out
  swap.io.in <> io.control.contextIn
  io.control.contextJudged := swap.io.back.valid || swap.io.bad
  io.control.contextRefusal := Mux(swap.io.bad, GroupRefusal.context.U, table.io.backRefusal)
  services.io.in(groups) <> swap.io.service
  services.io.in(groups).bits.tag := Cat(groups.U((tagBits - 1).W), 0.U(1.W))
  swap.io.answer.bits := cipher.io.answer.bits
  swap.io.answer.valid := cipher.io.answer.valid && (cipher.io.answer.bits.tag >> 1) === groups.U

  // Random numbers go to requesters, one at a time
  private val takers = members.map(_.io.random) :+ swap.io.random
  private val asking = takers.map(_.ready)
  for ((taker, number) <- takers.zipWithIndex) {
    taker.bits := io.control.random.bits
    taker.valid := io.control.random.valid && !asking.take(number).fold(false.B)(_ || _)
  }
  io.control.random.ready := asking.reduce(_ || _)

  // Alarm
  private def any(fault: GroupFaults => Bool): Bool = members.map(member => fault(member.io.faults)).reduce(_ || _)
  when(!halted) {
    alarm := MuxCase(
      BusAlarm.none.U,
      Seq(
        (committed && own) -> BusAlarm.ownPid.U,
        collides -> BusAlarm.collision.U,
        any(_.mismatch) -> BusAlarm.mismatch.U,
        any(_.outOfTurn) -> BusAlarm.outOfTurn.U,
        overrun -> BusAlarm.overrun.U,
        any(_.silent) -> BusAlarm.silent.U,
        (io.control.fault =/= BusAlarm.none.U) -> io.control.fault,
        io.globalAlarm -> BusAlarm.other.U
      )
    )
  }
  io.control.alarm := alarm
  io.control.occupied := VecInit(entries.map(_.occupied)).asUInt
  io.control.agreed := VecInit(members.map(_.io.agreed)).asUInt

  private def count(event: Bool): UInt = {
    val counter = RegInit(0.U(64.W))
    when(event) { counter := counter + 1.U }
    counter
  }
  io.control.statistics.sent := count(sent)
  io.control.statistics.dataSent := count(sent && plainOut.hasData)
  io.control.statistics.shown := count(granted && speaks && !in(speaker, _.speech.isSetUp))
  io.control.statistics.authenticated := count(members.map(_.io.authenticated).reduce(_ || _))
  io.control.statistics.stalls := count(sharedBus.tick && sends && !ready && !halted)
}
