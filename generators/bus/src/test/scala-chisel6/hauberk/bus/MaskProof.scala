package hauberk.bus

import chisel3._
import chisel3.util._
import hauberk.testing.Proof
import org.scalatest.funsuite.AnyFunSuite

/** A mask array whose transfers, in any order and as many as they like, take what masks there are. */
private class MaskInputs(p: BusParams) extends Module {
  val use = IO(Flipped(Valid(new BusBeat(p))))
  val mark = IO(Input(Bool()))
  val which = IO(Input(UInt(p.lanes.W)))
  val array = Module(new MaskArray(p))
  array.io.clear := false.B
  array.io.first.valid := false.B
  array.io.first.bits := 0.U.asTypeOf(array.io.first.bits)
  for (result <- array.io.results) {
    result.valid := false.B
    result.bits := 0.U.asTypeOf(result.bits)
  }
  array.io.own.source := 0.U
  array.io.heard.source := 0.U
  array.io.use := use
  assume(use.bits.source < p.members.U)
  assume(PopCount(which) === 1.U)

  // Any input of any lane, and every later one of every lane, and those of the same cycle
  private val takes = use.valid && use.bits.hasData
  private val seen = RegInit(false.B)
  private val input = Reg(UInt(128.W))
  private val marked = Mux1H(which, array.io.inputs)
  when(takes && mark && !seen) {
    seen := true.B
    input := marked
    for ((other, lane) <- array.io.inputs.zipWithIndex) { when(!which(lane)) { assert(other =/= marked) } }
  }
  when(takes) {
    for (other <- array.io.inputs) {
      when(seen) { assert(other =/= input) }
      // Those of a set-up are of other kinds, but for the first ones of each sender, whose numbers go before
      val kind = other(127, 120)
      if (p.secure.maskSource == BusMasks.PerSender) {
        assert(kind === BusInput.senderMask.U && other(110, 64) >= p.secure.masks.U)
      } else assert(kind === BusInput.nextMask.U)
    }
  }
}

/** Two members' mask arrays, on one medium: the same transfers, when both are ready for them, and ciphers that answer the same, but each in
  * its own time.
  *
  * @param misses the second one may lose transfers
  */
private class MasksOfTwo(p: BusParams, misses: Boolean = false) extends Module {
  private val slots = p.secure.masks
  private val senders = if (p.secure.maskSource == BusMasks.PerSender) p.members else 1
  val wants = IO(Flipped(Valid(new BusBeat(p))))
  val block = IO(Input(UInt(128.W)))
  val initial = IO(Input(Vec(senders * slots, UInt(128.W))))
  val deliver = IO(Input(Vec(2, Valid(UInt(log2Ceil(senders * slots).W)))))
  val arrays = Seq.fill(2)(Module(new MaskArray(p)))
  assume(wants.bits.source < p.members.U)

  private val begun = RegNext(true.B, false.B)
  private val values = Reg(Vec(senders * slots, UInt(128.W)))
  private val ready = arrays.map(_.io.heard.ready).reduce(_ && _)
  private val dropped = IO(Input(Bool()))
  private def lost(member: Int): Bool = if (misses && member == 1) dropped else false.B
  private val passes = wants.valid && begun && (ready || !wants.bits.hasData)
  private val taken = passes && wants.bits.hasData
  private val place = arrays.head.io.pid * slots.U + arrays.head.io.slot
  for (i <- 0 until senders * slots) {
    when(!begun) { values(i) := initial(i) }.elsewhen(taken && place === i.U) { values(i) := block }
  }
  for ((array, member) <- arrays.zipWithIndex) {
    val pending = RegInit(VecInit(Seq.fill(senders * slots)(true.B)))
    val chosen = deliver(member).bits
    val delivers = deliver(member).valid && begun && pending(chosen) && chosen < (senders * slots).U
    for (i <- 0 until senders * slots) {
      when(taken && place === i.U) { pending(i) := true.B }.elsewhen(delivers && chosen === i.U) { pending(i) := false.B }
    }
    array.io.clear := false.B
    array.io.first.valid := false.B
    array.io.first.bits := 0.U.asTypeOf(array.io.first.bits)
    for (result <- array.io.results) {
      result.valid := false.B
      result.bits := 0.U.asTypeOf(result.bits)
    }
    val result = array.io.results.head
    result.valid := delivers
    result.bits.isMask := true.B
    result.bits.pid := chosen / slots.U
    result.bits.slot := chosen % slots.U
    result.bits.block := values(chosen)
    array.io.own.source := wants.bits.source
    array.io.heard.source := wants.bits.source
    array.io.use.valid := passes && !lost(member)
    array.io.use.bits := wants.bits
  }
  private val (one, other) = (arrays.head.io, arrays(1).io)
  when(begun) {
    // What the one would hide it with, the other takes it off with; and both ask their ciphers the same
    when(one.own.ready && other.heard.ready) { assert(one.own.mask === other.heard.mask) }
    assert(one.slot === other.slot && one.pid === other.pid)
    when(taken) { assert(one.inputs.asUInt === other.inputs.asUInt) }
  }
}

/** Masks are never made twice, and members agree on them.
  *
  * (f): of any two blocks that are given to the cipher to become masks, of all lanes of all transfers, whoever sends what in which order, none
  * are alike. (g): whenever two members are both ready for a transfer, they have the same mask for it, though their ciphers hesitate.
  */
class MaskProof extends AnyFunSuite {
  private def p(source: BusMasks, lanes: Int, members: Int = 2) = BusParams(
    members,
    4,
    lineBytes = 16 * lanes,
    MediumParams(ratio = 4, widthBits = 128 * lanes),
    Some(BusSecurityParams(masks = 2, window = 4, aesLatency = 17, maskSource = source))
  )
  for (source <- Seq(BusMasks.Chained, BusMasks.PerSender)) {
    test(s"(f) inputs of masks, $source, 8 cycles") {
      assert(Proof.check(8)(new MaskInputs(p(source, lanes = 2))) == Proof.Proved)
    }
    test(s"(g) masks of two members, $source, 24 cycles") {
      assert(Proof.check(24)(new MasksOfTwo(p(source, lanes = 1))) == Proof.Proved)
    }
    test(s"mutation: a count that stands still is found, $source") {
      val still = Proof.tie("MaskArray", if (source == BusMasks.Chained) "count" else "count_1", 0)(_)
      assert(Proof.check(8, change = still)(new MaskInputs(p(source, lanes = 2))) == Proof.Refuted)
    }
    test(s"mutation: a member that misses a transfer is found, $source") {
      assert(Proof.check(20)(new MasksOfTwo(p(source, lanes = 1), misses = true)) == Proof.Refuted)
    }
  }
}
