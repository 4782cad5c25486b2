package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.port.Burst
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.integrity.{BlockMac, Verification}
import hauberk.memory.engine.{ReadUnit, ReadUnitIO}
import hauberk.testing.{Proof, ProofSuite}

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
  private val live, approved, nobodys = RegInit(false.B)
  private val entry = Reg(UInt(p.entryBits.W))
  private val takes = io.take.valid && io.take.ready && io.take.bits.request.id === id && !io.take.bits.forWrite
  private val verdict = io.events.verdict
  private val answers = io.client.valid && io.client.bits.id === id
  private val lastIdx = Burst.lastBeat(io.client.bits.size, p.core)
  private val (_, last, _) = Burst.track(io.client.valid && io.client.ready, lastIdx)
  assume(!(takes && live))
  when(verdict.valid && verdict.bits.ok && verdict.bits.entry === entry) { approved := true.B }
  when(answers && io.client.ready && last) { live := false.B }
  for (port <- io.owner) {
    // What passes straight through is owed, once and in one burst: OutstandingRequests sees to that
    val fires = io.memory.valid && io.memory.ready
    val (first, lastOfBurst, _) = Burst.track(fires, (p.core.blockBeats - 1).U(p.core.beatIndexBits.W))
    val begun = RegEnable(io.memory.bits.id, fires && first)
    val owed = RegInit(0.U(p.params.reads.W))
    val from = UIntToOH(io.memory.bits.id, p.params.reads)
    assume(!io.memory.valid || ((owed & from).orR && (first || io.memory.bits.id === begun)))
    owed := (owed | Mux(io.take.valid && io.take.ready, UIntToOH(io.free, p.params.reads), 0.U)) &
      (~Mux(fires && lastOfBurst, from, 0.U)).asUInt

    // Whoever knows the owners answers what was asked, once
    val asked = RegInit(0.U(p.params.reads.W))
    val asks = Mux(port.question.valid && port.question.ready, UIntToOH(port.question.bits.entry, p.params.reads), 0.U)
    val answered = Mux(port.answer.valid, UIntToOH(port.answer.bits.entry, p.params.reads), 0.U)
    assume((answered & (~(asked | asks)).asUInt) === 0.U)
    asked := (asked | asks) & (~answered).asUInt
    when(port.answer.valid && !port.answer.bits.owned && port.answer.bits.entry === entry) { nobodys := true.B }
  }
  when(takes) {
    nobodys := false.B
    live := true.B
    approved := false.B
    entry := io.free
  }
  when(answers && live && !io.client.bits.denied) { assert(approved || nobodys) }
  when(answers && !live) { assert(false.B) }
}

/** Property (c): no beat leaves a blocking verifier unverified, nor one by owner but of a page that is known to be nobody's.
  *
  * In the read unit with any verifier behind: a beat that is not denied leaves for the client only after the verifier has said ok of the entry
  * its read was taken into, since it was taken, or by owner an answer that its page is nobody's came since. Nothing is assumed of masks, verdicts and memory; of counters,
  * that every read gets one; of the client, that it does not use an identifier twice at a time; by owner, that memory answers each read once and in one burst, and that each question
  * is answered once.
  */
// covers: memory.blocking, memory.owner
class VerifiedBeatsProof extends ProofSuite {
  private def p(verification: Verification) = Protection(
    ProofEnvironment.small.copy(
      integrity = BlockMac(MetadataCacheParams(lines = 2, ways = 1, mshrs = 1)),
      verification = verification
    ),
    ProofEnvironment.bank
  )
  holds('c', "read unit, blocking")(new UnverifiedBeats(p(Verification.Blocking)))
  holds('c', "read unit, by owner")(new UnverifiedBeats(p(Verification.ByOwner)))
  refuted('c', "a read that counts as judged from the start", 8, change = Proof.tie("ReadUnit", "judged", 1))(
    new UnverifiedBeats(p(Verification.Blocking))
  )
  refuted(
    'c',
    "a page that counts as nobody's until its owner is known",
    8,
    change = Proof.tie("ReadUnit", "unknown", 0)
  )(
    new UnverifiedBeats(p(Verification.ByOwner))
  )
  refuted('c', "speculative verification", 8)(new UnverifiedBeats(p(Verification.Speculative)))
}
