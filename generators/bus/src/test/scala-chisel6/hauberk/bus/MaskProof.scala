package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.testing.{Proof, ProofSuite}

/** A mask array that any transfers pass, whenever they like, with any masks from the cipher.
  *
  * The block for a mask has, in places of their own, its lane, its sender's PID and a number. The number is what the bench counts: the transfers
  * that take one of it. A group takes no transfer once its numbers are used up, so that the count never starts again.
  */
private class MaskInputs(p: BusParams) extends Module {
  val use = IO(Flipped(Valid(new BusBeat(p))))
  val results = IO(Flipped(Vec(p.ciphers, Valid(new TransferResult(p)))))
  val masks = Module(new MaskArray(p))
  masks.io.clear := false.B
  masks.io.first := 0.U.asTypeOf(masks.io.first)
  masks.io.results := results
  masks.io.use := use
  masks.io.own.source := 0.U
  masks.io.received.source := 0.U
  assume(!use.valid || (use.bits.source < p.members.U && !masks.io.exhausted))

  private val perSender = p.secure.maskSource == BusMasks.PerSender
  private val sender = if (perSender) use.bits.source else 0.U
  private val takesNumber = use.valid && (if (perSender) use.bits.hasData else true.B)
  private val numbers = RegInit(VecInit(Seq.fill(if (perSender) p.members else 1)(0.U(BusInput.countBits.W))))
  private val number = Choose(numbers, sender)
  for ((n, pid) <- numbers.zipWithIndex) { when(takesNumber && sender === pid.U) { n := n + 1.U } }
  // The numbers of a sender begin after those of its first masks
  private val first = if (perSender) p.secure.masks else 0
  when(use.valid && use.bits.hasData) {
    for ((block, lane) <- masks.io.inputs.zipWithIndex) {
      val kind = if (perSender) BusInput.senderMask else BusInput.nextMask
      assert(block(127, 64) === Cat(kind.U(8.W), lane.U(4.W), use.bits.source.pad(5), number + first.U))
    }
    assert(number < (BigInt(2).pow(BusInput.countBits) - 1 - first).U)
  }
}

/** A mask array, and a cipher that takes as long as it likes for each slot. A mask is the colour of its transfer, one bit that is free for each
  * transfer: the array never looks at masks, so that two masks of different transfers differ under some choice of colours.
  */
private class MaskMember(p: BusParams) {
  val masks: MaskArray = Module(new MaskArray(p))
  private val senders = if (p.secure.maskSource == BusMasks.PerSender) p.members else 1
  private val count = senders * p.secure.masks
  private val pending = RegInit(VecInit(Seq.fill(count)(false.B)))
  private val made = Reg(Vec(count, Bool()))
  private def number(pid: UInt, slot: UInt): UInt = pid * p.secure.masks.U + slot

  def connect(
      use: Valid[BusBeat],
      first: Valid[TransferResult],
      colour: Bool,
      answers: Bool,
      pid: UInt,
      slot: UInt
  ): Unit = {
    masks.io.clear := false.B
    masks.io.first := first
    masks.io.use := use
    assume(pid < senders.U && slot < p.secure.masks.U)
    val which = number(pid, slot)
    val answered = answers && Choose(pending, which)
    for ((result, lane) <- masks.io.results.zipWithIndex) {
      result.valid := answered && (lane < p.lanes).B
      result.bits := 0.U.asTypeOf(result.bits)
      result.bits.isMask := true.B
      result.bits.lane := lane.U
      result.bits.pid := pid
      result.bits.slot := slot
      if (lane < p.lanes) result.bits.block := Choose(made, which)
    }
    for (i <- 0 until count) {
      val goes = use.valid && use.bits.hasData && number(masks.io.pid, masks.io.slot) === i.U
      when(goes) {
        pending(i) := true.B
        made(i) := colour
      }.elsewhen(answered && which === i.U) { pending(i) := false.B }
    }
  }
}

/** Two members that the same transfers pass, each with a cipher of its own pace. */
private class MaskAgreement(p: BusParams) extends Module {
  val use = IO(Flipped(Valid(new BusBeat(p))))
  val place = IO(Flipped(Valid(new TransferResult(p))))
  val colour = IO(Input(Bool()))
  val answers = IO(Input(Vec(2, Bool())))
  val pids = IO(Input(Vec(2, UInt(p.pidBits.W))))
  val slots = IO(Input(Vec(2, UInt(TransferCipher.slotBits.W))))
  val source = IO(Input(UInt(p.pidBits.W)))

  /** Between members: what one says is received by the other as it is. A mutation changes it. */
  val changed = WireDefault(0.U(p.pidBits.W))
  dontTouch(changed)
  val members = Seq.fill(2)(new MaskMember(p))

  private val first = WireDefault(place)
  first.bits.block := place.bits.block(0)
  private val received = WireDefault(use)
  received.bits.source := use.bits.source ^ changed
  for ((member, i) <- members.zipWithIndex) {
    member.connect(if (i == 0) use else received, first, colour, answers(i), pids(i), slots(i))
    member.masks.io.own.source := source
    member.masks.io.received.source := use.bits.source
  }
  assume(use.bits.source < p.members.U && source < p.members.U)
  // A set-up comes before transfers; and a transfer with data passes when both can take it
  private val begun = RegInit(false.B)
  when(use.valid) { begun := true.B }
  assume(!first.valid || (!begun && !use.valid && first.bits.isMask))
  assume(!use.valid || !use.bits.hasData || members.map(_.masks.io.received.ready).reduce(_ && _))

  private val own = members.map(_.masks.io.own)
  when(own.map(_.ready).reduce(_ && _)) { assert(own.head.mask(0) === own.last.mask(0)) }

  // And make the next ones of the same blocks, for the same place
  private val (one, other) = (members.head.masks.io, members.last.masks.io)
  when(use.valid && use.bits.hasData) {
    assert(one.slot === other.slot && one.pid === other.pid)
    assert(one.inputs.asUInt === other.inputs.asUInt)
    assert(one.received.mask(0) === other.received.mask(0))
  }
}

/** That masks are made of blocks no two of which are alike, and that members agree on masks. */
// covers: bus.mask-once, bus.mask-agreement
class MaskProof extends ProofSuite {
  private def p(source: BusMasks, masks: Int, width: Int = 128): BusParams = {
    val security = BusSecurityParams(masks, window = 8, aesLatency = 13, maskSource = source)
    BusParams(2, 8, lineBytes = width / 8, sharedBus = SharedBusParams(1, width), security = Some(security))
  }
  for (source <- Seq(BusMasks.Chained, BusMasks.PerSender)) {
    holds('f', s"$source, two lanes")(new MaskInputs(p(source, 3, 256)))
    refuted(
      'f',
      s"a count that stands still, $source",
      6,
      change = Proof.tie("MaskArray", if (source == BusMasks.Chained) "count" else "count_1", 0)
    )(new MaskInputs(p(source, 2)))
    holds('g', s"$source")(new MaskAgreement(p(source, 2)))
    refuted(
      'g',
      s"a sender that is received as another, $source",
      18,
      change = Proof.tie("MaskAgreement", "changed", 1)
    )(
      new MaskAgreement(p(source, 2))
    )
  }
}
