package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.crypto.AesResponse

/** The keys of a session, which never leave the unit. That for pads over memory is zero where tiles make none. */
class SessionKeys extends Bundle {
  val mask = UInt(128.W)
  val mac = UInt(128.W)
  val tag = UInt(128.W)
  val hash = UInt(128.W)
  val pad = UInt(128.W)
}

/** Ports of a [[GroupSetup]]. */
class GroupSetupIO(val p: BusParams, val tagBits: Int) extends Bundle {
  val pid = Input(UInt(p.pidBits.W))
  val tick = Input(Bool())

  /** The group is to be open, among these members, of whom this is one; when it goes, all that belongs to the session is erased. */
  val wanted = Input(Bool())
  val members = Input(UInt(p.members.W))

  /** The group's key, usable while the group is wanted. */
  val key = Input(UInt(128.W))

  /** Random numbers of this member's own. */
  val random = Flipped(Decoupled(UInt(64.W)))

  /** This member's share of the set-up, which is on the shared bus once it is granted. */
  val asks = Output(Bool())
  val share = Output(UInt(64.W))

  /** A share has passed, so all members are there, and the others' follow at once. */
  val begun = Output(Bool())

  /** For as long as `timeout` the share that follows did not. */
  val silent = Output(Bool())
  val granted = Input(Bool())

  /** A share that is received: whose turn it is, and that it is taken. */
  val source = Input(UInt(p.pidBits.W))
  val received = Input(UInt(64.W))
  val accepts = Output(Bool())
  val commit = Input(Bool())

  val service = Decoupled(new ServiceRequest(tagBits))
  val answer = Flipped(Valid(new AesResponse(tagBits)))

  /** All earlier state is void; then the first masks and chains come; then the group is open. */
  val clear = Output(Bool())
  val keys = Output(new SessionKeys)
  val first = Valid(new TransferResult(p))
  val open = Output(Bool())

  /** The key for pads of the first session of group 0; absent where tiles make no pads. */
  val firstPadKey = p.pads.map(_ => Flipped(Valid(UInt(128.W))))
}

/** Sets a group up (section 4.2, Initialization): all members come to the same fresh keys, masks and chains.
  *
  * Each member in turn, by its PID, broadcasts 64 random bits. The key of the session is the CBC-MAC of them all, and of the set of members,
  * under the group's key. The paper has one member choose for all; here nobody can be made to go back to a session that was, because
  * what each member adds is new. Whether all have received the same, the authentication that follows shows.
  *
  * The first share waits for as long as some member has not opened the group. It is taken once all have, so from then on each member knows
  * that the next share is due: if none comes for `timeout` bus cycles, it raises the alarm.
  *
  * The key for pads of group 0 is made of its session's. Memory of another group must outlive a swap, and its sessions: the key for its pads is
  * made of group 0's and of the members under the group's key, so fresh after a reset, and the same whenever the group is opened.
  */
class GroupSetup(val p: BusParams, val group: Int, tagBits: Int) extends Module {
  val io = IO(new GroupSetupIO(p, tagBits))
  private val perSender = p.secure.maskSource == BusMasks.PerSender
  private val idle :: draw :: absorb :: absorbing :: await :: derive :: deriving :: fill :: filling :: open :: Nil =
    Enum(10)
  private val state = RegInit(idle)
  private val nonce = RegInit(0.U(64.W))
  private val session = RegInit(0.U(128.W))
  private val input = RegInit(0.U(128.W))
  private val keys = RegInit(0.U.asTypeOf(new SessionKeys))
  private val begun = RegInit(false.B) // whose shares are in: none yet, or all before `turn`
  private val turn = RegInit(0.U(p.pidBits.W))
  private val keyNumber = RegInit(0.U(3.W))

  /** The session was not wanted any more, though it may be again: it has to end first. */
  private val gone = RegInit(false.B)

  private def memberFrom(least: UInt): (Bool, UInt) = {
    val candidates = VecInit((0 until p.members).map(pid => io.members(pid) && pid.U >= least)).asUInt
    (candidates.orR, PriorityEncoder(candidates))
  }
  private val (_, lowest) = memberFrom(0.U)
  private val (another, next) = memberFrom(turn +& 1.U)

  // What is filled: masks of every sender, slot and lane, then chains of every slot and lane
  private val masks = RegInit(true.B)
  private val lane = RegInit(0.U(TransferCipher.laneBits.W))
  private val slot = RegInit(0.U(TransferCipher.slotBits.W))
  private val sender = RegInit(0.U(p.pidBits.W))
  private val lastLane = lane === Mux(masks, (p.lanes - 1).U, p.lanes.U)
  private val lastSlot = slot === (p.secure.masks - 1).U
  private val lastSender = if (perSender) sender === (p.members - 1).U else true.B
  private val hasChains = p.secure.mac == BusMac.Cbc
  private val filled = lastLane && lastSlot && (if (hasChains) !masks else lastSender)

  private val mine = turn === io.pid
  private val shared = state === await && Mux(mine, io.granted, io.commit && io.source === turn)
  io.random.ready := state === draw
  io.asks := state === await && mine
  io.share := Mux(io.asks, nonce, 0.U)
  io.accepts := state === await && !mine && io.source === turn
  io.begun := state === await && turn =/= lowest
  private val due = io.begun && !shared
  private val quiet = RegInit(0.U(log2Ceil(p.secure.timeout + 1).W))
  io.silent := due && io.tick && quiet === (p.secure.timeout - 1).U
  when(!due) { quiet := 0.U }.elsewhen(io.tick && !io.silent) { quiet := quiet + 1.U }
  // Until the first masks come, so that nothing of the session before comes out of the cipher behind it
  io.clear := state =/= fill && state =/= filling && state =/= open
  io.keys := keys
  io.open := state === open && io.wanted

  private val keyKinds = Seq(BusInput.maskKey, BusInput.macKey, BusInput.tagKey, BusInput.hashKey) ++
    p.pads.map(_ => BusInput.padKey)
  private val keyInputs = keyKinds.map(BusInput.key)
  private val fillInput = BusInput.block(
    Mux(
      masks,
      (if (perSender) BusInput.senderMask else BusInput.firstMask).U,
      BusInput.firstChain.U
    ),
    lane,
    (if (perSender) Mux(masks, sender, 0.U) else 0.U),
    slot,
    0.U
  )

  /** The key for pads that does not follow from the session. */
  private val ofMemory =
    io.firstPadKey.filter(_ => group > 0).map(first => first -> (keyNumber === (keyKinds.size - 1).U))
  private val derives = state === derive && ofMemory.fold(true.B) { case (first, next) => first.valid || !next }
  private val asksCipher = state === absorb || derives || state === fill
  private val deriveKey = ofMemory.fold(session) { case (_, next) => Mux(next, io.key, session) }
  private val deriveInput = ofMemory.fold(Choose(keyInputs, keyNumber)) { case (first, next) =>
    Mux(next, first.bits ^ BusInput.session(group.U, io.members), Choose(keyInputs, keyNumber))
  }
  io.service.valid := asksCipher && io.wanted
  io.service.bits.tag := 0.U
  io.service.bits.key := MuxCase(keys.mask, Seq((state === absorb) -> io.key, (state === derive) -> deriveKey))
  io.service.bits.block := MuxCase(
    fillInput,
    Seq((state === absorb) -> input, (state === derive) -> deriveInput)
  )
  io.first.valid := state === filling && io.answer.valid && !gone
  io.first.bits.group := group.U
  io.first.bits.isMask := masks
  io.first.bits.isChain := !masks
  io.first.bits.lane := lane
  io.first.bits.pid := sender
  io.first.bits.slot := slot
  io.first.bits.boundary := false.B
  io.first.bits.block := io.answer.bits.block

  private def advance(now: UInt, to: UInt): Unit =
    when(state === now && io.service.valid && io.service.ready) { state := to }
  advance(absorb, absorbing)
  advance(derive, deriving)
  advance(fill, filling)
  switch(state) {
    is(idle) { when(io.wanted) { state := draw } }
    is(draw) {
      when(io.random.valid) {
        nonce := io.random.bits
        input := BusInput.session(group.U, io.members)
        turn := lowest
        begun := false.B
        state := absorb
      }
    }
    is(absorbing) {
      when(io.answer.valid) {
        session := io.answer.bits.block
        begun := true.B
        keyNumber := 0.U
        when(!begun) {
          state := await
        }.elsewhen(another) {
          turn := next
          state := await
        }.otherwise { state := derive }
      }
    }
    is(await) {
      when(shared) {
        input := session ^ BusInput.share(turn, Mux(mine, nonce, io.received))
        state := absorb
      }
    }
    is(deriving) {
      when(io.answer.valid) {
        switch(keyNumber) {
          is(0.U) { keys.mask := io.answer.bits.block }
          is(1.U) { keys.mac := io.answer.bits.block }
          is(2.U) { keys.tag := io.answer.bits.block }
          is(3.U) { keys.hash := io.answer.bits.block }
          is(4.U) { keys.pad := io.answer.bits.block }
        }
        keyNumber := keyNumber + 1.U
        state := Mux(keyNumber === (keyKinds.size - 1).U, fill, derive)
        masks := true.B
        lane := 0.U
        slot := 0.U
        sender := 0.U
      }
    }
    is(filling) {
      when(io.answer.valid) {
        session := 0.U
        state := Mux(filled, open, fill)
        lane := Mux(lastLane, 0.U, lane + 1.U)
        when(lastLane) {
          slot := Mux(lastSlot, 0.U, slot + 1.U)
          when(lastSlot) {
            sender := sender + 1.U
            when(lastSender) { masks := false.B }
          }
        }
      }
    }
  }
  // A session that is not wanted any more is erased, once nothing of it is in the cipher
  private val inCipher = state === absorbing || state === deriving || state === filling
  when(!io.wanted) { gone := true.B }
  when((!io.wanted || gone) && (!inCipher || io.answer.valid)) {
    gone := false.B
    state := idle
    nonce := 0.U
    session := 0.U
    input := 0.U
    keys := 0.U.asTypeOf(new SessionKeys)
  }
}
