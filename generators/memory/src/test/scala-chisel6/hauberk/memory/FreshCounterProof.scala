package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{KeySlot, MetadataCacheParams}
import hauberk.memory.counter.Timestamps
import hauberk.memory.engine.TransactionCore
import hauberk.testing.{Proof, ProofSuite}

/** Every counter is larger than the one given before it. */
private class FreshCounters(p: Protection) extends CountersOfWrites(p) {
  when(gives) { assert(later > latest) }
}

/** All that turns requests into cipher requests, before a cipher that answers anything a cycle later; client and memory keep the rules of
  * their ports, and are otherwise free.
  */
private class PadsOfWrites(p: Protection) extends Module {
  val client = IO(Flipped(new MemoryPort(p.core)))
  val memory = IO(new MemoryPort(p.memory))
  val flush = IO(Input(Bool()))
  val pad = IO(Input(UInt(128.W)))
  val usable = IO(Input(Bool()))
  val mark = IO(Input(Bool()))
  val abandon = IO(Input(Bool()))
  val core = Module(new TransactionCore(p, p))
  val generator = Module(p.keystreamGenerator())
  core.io.client <> client
  memory <> core.io.memory
  core.io.keystream <> generator.io.port
  core.io.flush := flush
  core.io.check := false.B
  core.io.imageBlocks := 0.U
  core.io.hashKeys := 0.U.asTypeOf(core.io.hashKeys)
  core.io.keys.usable.foreach(_ := true.B)
  core.io.reencrypt.ready := false.B
  core.io.touch.ready := false.B
  core.io.reencrypted.valid := false.B
  core.io.reencrypted.bits := 0.U
  core.io.touched := false.B
  core.io.halted := false.B
  core.io.abandon := abandon
  for (port <- core.io.cipher) {
    port.request.ready := false.B
    port.answer.valid := false.B
    port.answer.bits := 0.U.asTypeOf(port.answer.bits)
  }
  private val request = generator.io.cipher.request
  request.ready := usable
  generator.io.cipher.answer.valid := RegNext(request.valid && request.ready, false.B)
  generator.io.cipher.answer.bits.tag := RegNext(request.bits.tag)
  generator.io.cipher.answer.bits.block := pad
  ProofEnvironment.clientKeepsRules(client, p.core, wholeWrites = true)
  ProofEnvironment.memoryKeepsRules(memory, p.memory)
  assume(!client.request.valid || client.request.bits.address < p.layout.dataBytes.U)

  // Any pad of a write, and every later one
  private val entry = request.bits.tag >> log2Ceil(p.aesBlocks)
  private val fires = request.valid && request.ready && entry >= p.params.reads.U
  private val seen = RegInit(false.B)
  private val input = Reg(UInt(128.W))
  private val slot = Reg(UInt(KeySlot.width.W))
  when(fires && mark && !seen) {
    seen := true.B
    input := request.bits.block
    slot := request.bits.slot
  }
  when(fires && seen) { assert(!(request.bits.block === input && request.bits.slot === slot)) }
}

/** Properties (a) and (b): a counter never goes back, and no pad input repeats under a key.
  *
  * (b): of any two counters that the store gives to writes, the later is larger; none is 0, and none is for the static key. Memory may answer
  * anything, and refuse anything. (a): of any two cipher requests for masks of writes, block and key slot are not both the same, however client
  * and memory behave and the cipher hesitates.
  */
// covers: memory.no-pad-twice
class FreshCounterProof extends ProofSuite {
  private def p(bits: Int) = Protection(
    ProofEnvironment.small.copy(counters = Timestamps(bits, MetadataCacheParams(lines = 2, ways = 1, mshrs = 1))),
    ProofEnvironment.bank
  )
  private val timer = Proof.tie("TimestampStore", "timer", 0)(_)
  private val still = Proof.tie("TimestampStore", "timer", 0)(_)
  holds('b', "global timer of 3 bits, beyond its end")(new FreshCounters(p(3)))
  refuted('b', "a timer that stands still", 10, change = still)(new FreshCounters(p(8)))
  refuted('b', "a timer that wraps around", 16, change = Proof.tie("TimestampStore", "overflow", 0))(
    new FreshCounters(p(3))
  )
  // One write at a time, so that two writes of one block fit into few cycles
  private val single = Protection(p(8).params.copy(reads = 1, writes = 1), ProofEnvironment.bank)
  holds('a', "transaction core, one-time pad", Some(18))(new PadsOfWrites(single))
  refuted('a', "a timer that stands still", 18, change = still)(new PadsOfWrites(single))
}
