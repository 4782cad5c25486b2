package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.testing.Proof
import org.scalatest.funsuite.AnyFunSuite

/** A mask array that any transfers pass, whenever they like, with any masks from the cipher. */
private class MaskInputs(p: BusParams) extends Module {
  val use = IO(Flipped(Valid(new BusBeat(p))))
  val results = IO(Flipped(Vec(p.ciphers, Valid(new TransferResult(p)))))
  val mark = IO(Input(Bool()))
  val lane = IO(Input(UInt(log2Ceil(p.lanes).max(1).W)))
  val firstSlot = IO(Input(UInt(4.W)))
  val firstSender = IO(Input(UInt(p.pidBits.W)))
  val masks = Module(new MaskArray(p))
  masks.io.clear := false.B
  masks.io.first := 0.U.asTypeOf(masks.io.first)
  masks.io.results := results
  masks.io.use := use
  masks.io.own.source := 0.U
  masks.io.received.source := 0.U
  assume(!use.valid || use.bits.source < p.members.U)
  assume(lane < p.lanes.U && firstSlot < p.secure.masks.U && firstSender < p.members.U)

  // Any block that goes into the cipher for a mask, and every later one, and those of the set-up
  private val fires = use.valid && use.bits.hasData
  private val input = Choose(masks.io.inputs, lane)
  private val seen = RegInit(false.B)
  private val held = Reg(UInt(128.W))
  when(fires && mark && !seen) {
    seen := true.B
    held := input
  }
  when(fires && seen) { for (block <- masks.io.inputs) { assert(block =/= held) } }
  when(fires) {
    for {
      (one, i) <- masks.io.inputs.zipWithIndex
      other <- masks.io.inputs.drop(i + 1)
    } { assert(one =/= other) }
    val perSender = p.secure.maskSource == BusMasks.PerSender
    val first = BusInput.block(
      (if (perSender) BusInput.senderMask else BusInput.firstMask).U,
      lane,
      (if (perSender) firstSender else 0.U),
      firstSlot,
      0.U
    )
    for (block <- masks.io.inputs) { assert(block =/= first) }
  }
}

/** A mask array, and a cipher that takes as long as it likes for each slot and answers with the number of the transfer it works for: the array
  * never looks at masks, so that masks that tell where they are from stand for those of any cipher.
  */
private class MaskMember(p: BusParams) {
  val masks: MaskArray = Module(new MaskArray(p))
  private val senders = if (p.secure.maskSource == BusMasks.PerSender) p.members else 1
  private val count = senders * p.secure.masks
  private val pending = RegInit(VecInit(Seq.fill(count)(false.B)))
  private val made = Reg(Vec(count, UInt(MaskMember.bits.W)))
  private val transfers = RegInit(0.U(MaskMember.bits.W))
  private def number(pid: UInt, slot: UInt): UInt = pid * p.secure.masks.U + slot

  def connect(use: Valid[BusBeat], first: Valid[TransferResult], answers: Bool, pid: UInt, slot: UInt): Unit = {
    masks.io.clear := false.B
    masks.io.first := first
    masks.io.use := use
    assume(pid < senders.U && slot < p.secure.masks.U)
    val which = number(pid, slot)
    when(use.valid) { transfers := transfers + 1.U }
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
        made(i) := transfers
      }.elsewhen(answered && which === i.U) { pending(i) := false.B }
    }
  }
}

private object MaskMember {
  val bits = 6
}

/** Two members that the same transfers pass, each with a cipher of its own pace. */
private class MaskAgreement(p: BusParams) extends Module {
  val use = IO(Flipped(Valid(new BusBeat(p))))
  val place = IO(Flipped(Valid(new TransferResult(p))))
  val answers = IO(Input(Vec(2, Bool())))
  val pids = IO(Input(Vec(2, UInt(p.pidBits.W))))
  val slots = IO(Input(Vec(2, UInt(TransferCipher.slotBits.W))))
  val source = IO(Input(UInt(p.pidBits.W)))

  /** Between members: what one says is received by the other as it is. A mutation changes it. */
  val changed = WireDefault(0.U(p.pidBits.W))
  dontTouch(changed)
  val members = Seq.fill(2)(new MaskMember(p))

  /** First masks have numbers that those of transfers do not reach within the check. */
  private val first = WireDefault(place)
  first.bits.block := Cat(1.U(2.W), place.bits.block(MaskMember.bits - 3, 0))
  private val received = WireDefault(use)
  received.bits.source := use.bits.source ^ changed
  for ((member, i) <- members.zipWithIndex) {
    member.connect(if (i == 0) use else received, first, answers(i), pids(i), slots(i))
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
  when(own.map(_.ready).reduce(_ && _)) { assert(own.head.mask === own.last.mask) }

  // And make the next ones of the same blocks, for the same place
  private val (one, other) = (members.head.masks.io, members.last.masks.io)
  when(use.valid && use.bits.hasData) {
    assert(one.slot === other.slot && one.pid === other.pid)
    assert(one.inputs.asUInt === other.inputs.asUInt)
    assert(one.received.mask === other.received.mask)
  }
}

/** That masks are made of blocks no two of which are alike, and that members agree on masks. */
class MaskProof extends AnyFunSuite {
  private def p(source: BusMasks, masks: Int, width: Int = 128): BusParams = {
    val security = BusSecurityParams(masks, window = 8, aesLatency = 13, maskSource = source)
    BusParams(2, 8, lineBytes = width / 8, sharedBus = SharedBusParams(1, width), security = Some(security))
  }
  for (source <- Seq(BusMasks.Chained, BusMasks.PerSender)) {
    // A slot's second use is in cycle 15
    val cycles = if (source == BusMasks.Chained) 18 else 16
    // covers: bus.mask-once
    test(s"(f) no block for a mask repeats, $source, two lanes, 14 cycles") {
      assert(Proof.check(14)(new MaskInputs(p(source, 3, 256))) == Proof.Proved)
    }
    test(s"mutation: a count that stands still is found, $source") {
      val count = Proof.tie("MaskArray", if (source == BusMasks.Chained) "count" else "count_1", 0)(_)
      assert(Proof.check(6, change = count)(new MaskInputs(p(source, 2))) == Proof.Refuted)
    }
    // covers: bus.mask-agreement
    test(s"(g) members agree on masks, whatever the pace of their ciphers, $source, $cycles cycles") {
      assert(Proof.check(cycles)(new MaskAgreement(p(source, 2))) == Proof.Proved)
    }
    test(s"mutation: a sender that is received as another is found, $source") {
      val changed = Proof.tie("MaskAgreement", "changed", 1)(_)
      assert(Proof.check(18, change = changed)(new MaskAgreement(p(source, 2))) == Proof.Refuted)
    }
  }
}
