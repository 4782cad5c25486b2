package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.port.Burst
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.integrity.{BlockMac, Verification}
import hauberk.memory.engine.{ReadUnit, ReadUnitIO}
import hauberk.testing.Proof
import org.scalatest.funsuite.AnyFunSuite

/** A read unit in a world with one rule: every read in flight gets one counter. Masks, verdicts and memory come as they like. */
private class UnverifiedBeats(p: Protection) extends Module {
  val io = IO(new ReadUnitIO(p))
  val chosen = IO(Input(UInt(p.core.idBits.W)))
  val unit = Module(new ReadUnit(p))
  ProofEnvironment.feed(unit.io, io)
  ProofEnvironment.show(unit.io, io)

  private val result = io.events.result
  private val resultFor = UIntToOH(result.bits.entry)
  private val counted = RegInit(0.U(p.params.reads.W))
  when(result.valid) { assume((resultFor & io.inFlight & (~counted).asUInt).orR) }
  counted := (counted | Mux(result.valid, resultFor, 0.U)) & io.inFlight

  // Follow the reads of any one identifier, which is used once at a time
  private val id = ProofEnvironment.held(chosen)
  private val live, approved = RegInit(false.B)
  private val entry = Reg(UInt(p.entryBits.W))
  private val takes = io.take.valid && io.take.ready && io.take.bits.request.id === id && !io.take.bits.forWrite
  private val verdict = io.events.verdict
  private val answers = io.client.valid && io.client.bits.id === id
  private val lastIdx = Burst.lastBeat(io.client.bits.size, p.core)
  private val (_, last, _) = Burst.track(io.client.valid && io.client.ready, lastIdx)
  assume(!(takes && live))
  when(verdict.valid && verdict.bits.ok && verdict.bits.entry === entry) { approved := true.B }
  when(answers && io.client.ready && last) { live := false.B }
  when(takes) {
    live := true.B
    approved := false.B
    entry := io.free
  }
  when(answers && live && !io.client.bits.denied) { assert(approved) }
  when(answers && !live) { assert(false.B) }
}

/** Property (c): no beat leaves a blocking verifier unverified.
  *
  * In the read unit with any verifier behind: a beat that is not denied leaves for the client only after the verifier has said ok of the entry
  * its read was taken into, since it was taken. Nothing is assumed of masks, verdicts and memory; of counters,
  * that every read gets one; of the client, that it does not use an identifier twice at a time.
  */
class VerifiedBeatsProof extends AnyFunSuite {
  private def p(verification: Verification) = Protection(
    ProofEnvironment.small.copy(
      integrity = BlockMac(MetadataCacheParams(lines = 2, ways = 1, mshrs = 1)),
      verification = verification
    ),
    ProofEnvironment.bank
  )
  test("(c) read unit, blocking, 12 cycles") {
    assert(Proof.check(12)(new UnverifiedBeats(p(Verification.Blocking))) == Proof.Proved)
  }
  test("mutation: a read that counts as judged from the start is found") {
    val judged = Proof.tie("ReadUnit", "judged", 1)(_)
    assert(Proof.check(8, change = judged)(new UnverifiedBeats(p(Verification.Blocking))) == Proof.Refuted)
  }
  test("mutation: speculative verification is found to let beats out before") {
    assert(Proof.check(8)(new UnverifiedBeats(p(Verification.Speculative))) == Proof.Refuted)
  }
}
