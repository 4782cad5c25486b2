package hauberk.memory

import chisel3._
import hauberk.memory.port.MemoryPort
import hauberk.memory.engine.TransactionCore
import hauberk.testing.{Proof, ProofSuite}

/** Two transaction cores: the second is given other data to write, and masks for them that differ in the same bit of every beat. */
private class CiphertextPair(p: Protection, bit: Int) extends Module {
  val client = IO(Flipped(new MemoryPort(p.core)))
  val memory = IO(new MemoryPort(p.memory))
  val flush = IO(Input(Bool()))
  val imageBlocks = IO(Input(UInt((p.core.blockIndexBits + 1).W)))
  val pad = IO(Input(UInt(128.W)))
  val hesitates = IO(Input(Bool()))
  private val difference = (BigInt(1) << bit).U(128.W)
  val one = Module(new TransactionCore(p, p))
  val two = Module(new TransactionCore(p, p))
  val generator = Module(p.keystreamGenerator())

  for (core <- Seq(one, two)) {
    core.io.flush := flush
    ProofEnvironment.nothingBeside(core.io)
    core.io.imageBlocks := imageBlocks
    core.io.hashKeys := 0.U.asTypeOf(core.io.hashKeys)
    core.io.keys.usable.foreach(_ := true.B)
    core.io.abandon := false.B
    ProofEnvironment.feed(core.io.client, client)
    ProofEnvironment.feed(core.io.memory, memory)
  }
  ProofEnvironment.show(one.io.client, client)
  ProofEnvironment.show(one.io.memory, memory)
  one.io.keystream <> generator.io.port
  two.io.keystream.job.ready := generator.io.port.job.ready
  two.io.keystream.keystream := generator.io.port.keystream
  two.io.keystream.buffer.zip(generator.io.port.buffer).foreach { case (to, from) =>
    to.entry := from.entry
    to.aesBlock := from.aesBlock
  }
  private val request = generator.io.cipher.request
  request.ready := !hesitates
  generator.io.cipher.answer.valid := RegNext(request.valid && request.ready, false.B)
  generator.io.cipher.answer.bits.tag := RegNext(request.bits.tag)
  generator.io.cipher.answer.bits.block := pad

  two.io.client.request.bits.data := client.request.bits.data ^ difference
  private val mask = generator.io.port.keystream.bits
  two.io.keystream.keystream.bits.bits := mask.bits ^ Mux(mask.entry >= p.params.reads.U, difference, 0.U)

  ProofEnvironment.clientKeepsRules(client, p.core, wholeWrites = true)
  ProofEnvironment.memoryKeepsRules(memory, p.memory)
  assume(!client.request.valid || client.request.bits.address < p.layout.dataBytes.U)
  assert(one.io.memory.request.valid === two.io.memory.request.valid)
  when(one.io.memory.request.valid) {
    ProofEnvironment.assertSame(one.io.memory.request.bits, two.io.memory.request.bits)
  }
  ProofEnvironment.assertSame(one.io.client, two.io.client)
}

/** Property (e): no write leaves the engine unencrypted.
  *
  * Of two cores, one is to write data that differ from the other's in one bit of every beat, and has masks for its writes that differ in the same
  * bit. Then memory sees the same of both, in every cycle: addresses, identifiers, and every beat of data and metadata. So that bit of every write
  * leaves under exactly one mask that was made for it, not under none and not under two, and nothing else that memory sees depends on it: behind
  * masks that nobody can tell from random ones, memory learns nothing of it. The bit is the lowest of a beat, and the highest; those between pass through the same words.
  */
// covers: memory.fresh-ciphertext
class CiphertextProof extends ProofSuite {
  private val twins = Some(("one", "two"))
  private val p = Protection(ProofEnvironment.small, ProofEnvironment.bank)
  for (bit <- Seq(0, p.bank.beatBytes * 8 - 1))
    holds('e', s"transaction core, one-time pad, bit $bit of every beat", twins = twins)(new CiphertextPair(p, bit))
  refuted(
    'e',
    "a write that is sent before its keystream is made",
    12,
    twins,
    Proof.tie("WriteUnit", "arrived", (1 << p.aesBlocks) - 1)
  )(new CiphertextPair(p, bit = 0))
}
