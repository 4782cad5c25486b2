package hauberk.memory

import chisel3._
import chisel3.util._
import hauberk.memory.cipher.HashKeys
import hauberk.memory.common.{KeySlot, MetadataCacheParams}
import hauberk.memory.counter.{CounterStore, Timestamps}
import hauberk.memory.engine.{EngineParts, TransactionCore}
import hauberk.memory.integrity.Verifier
import hauberk.memory.mode.{KeystreamGenerator, KeystreamGeneratorIO, KeystreamPort}
import hauberk.memory.port.MemoryPort
import hauberk.testing.{Proof, ProofSuite}

/** A counter store of which nothing is known but property (b): it takes look-ups and answers them when it likes, in any order, with any counter, but it
  * gives one counter to one write at most. The bench says which, and what it does in a cycle, on a port that no store without a tree needs.
  *
  * @param repeats breaks it: the counter may be given again
  */
private class AnyFreshCounters(p: Protection, repeats: Boolean) extends CounterStore(p) {
  for (port <- ProofEnvironment.leaves(io) if !ProofEnvironment.isInput(port)) { port := 0.U.asTypeOf(port) }
  private val chosen = io.hashKeys(0).first(p.counterBits - 1, 0)
  private val does = io.hashKeys(1).first
  private val lookup = io.lookup
  private val result = io.result
  lookup.answer.accepted := lookup.valid && does(0)
  lookup.answer.blocked := lookup.valid && !does(0) && does(1)
  io.retry := does(2)
  io.hold := does(3)
  private val open = RegInit(0.U(p.entries.W))
  private val writes = Reg(UInt(p.entries.W))
  result.bits := io.hashKeys(1).second.asTypeOf(result.bits)
  result.valid := does(4) && result.bits.entry < p.entries.U && open(result.bits.entry)
  open := (open | Mux(lookup.answer.accepted, UIntToOH(lookup.entry), 0.U)) &
    (~Mux(result.valid, UIntToOH(result.bits.entry), 0.U)).asUInt
  when(lookup.answer.accepted) { writes := writes.bitSet(lookup.entry, lookup.write) }
  private val given = RegInit(false.B)
  private val gives = result.valid && !result.bits.denied && writes(result.bits.entry) && result.bits.counter === chosen
  given := given || gives
  if (!repeats) assume(!gives || !given)

  // What (b) assumes of look-ups
  assert(!lookup.valid || (lookup.entry < p.entries.U && !open(lookup.entry)))
}

/** The transactions, with any such store. Of jobs for keystream, one at most is a write's and has the chosen counter. */
private class JobsOfWrites(p: Protection, repeats: Boolean = false) extends Module {
  val client = IO(Flipped(new MemoryPort(p.core)))
  val memory = IO(new MemoryPort(p.memory))
  val keystream = IO(Flipped(new KeystreamPort(p)))
  val flush = IO(Input(Bool()))
  val abandon = IO(Input(Bool()))
  val usable = IO(Input(Vec(KeySlot.count, Bool())))
  val choices = IO(Input(Vec(KeySlot.count, new HashKeys)))
  val core = Module(
    new TransactionCore(
      p,
      new EngineParts {
        def keystreamGenerator(): KeystreamGenerator = p.keystreamGenerator()
        def counterStore(): CounterStore = new AnyFreshCounters(p, repeats)
        def verifier(): Verifier = p.verifier()
      }
    )
  )
  core.io.client <> client
  memory <> core.io.memory
  core.io.keystream <> keystream
  core.io.flush := flush
  ProofEnvironment.nothingBeside(core.io)
  core.io.imageBlocks := 0.U
  core.io.hashKeys := choices
  private val chosen = ProofEnvironment.held(choices(0).first)
  core.io.hashKeys(0).first := chosen
  core.io.keys.usable := usable
  core.io.abandon := abandon

  ProofEnvironment.memoryKeepsRules(memory, p.memory)
  private val job = keystream.job
  // Keystream comes once for what a job asked for, in a later cycle
  private val wanted = RegInit(VecInit(Seq.fill(1 << p.entryBits)(0.U(p.aesBlocks.W))))
  private val comes = keystream.keystream
  when(comes.valid) {
    wanted(comes.bits.entry) := wanted(comes.bits.entry).bitSet(comes.bits.aesBlock, false.B)
  }
  when(job.valid && job.ready) {
    wanted(job.bits.entry) := VecInit(
      (0 until p.aesBlocks).map(i => job.bits.first <= i.U && i.U <= job.bits.last)
    ).asUInt
  }
  assume(!comes.valid || wanted(comes.bits.entry)(comes.bits.aesBlock))

  // A step of the proof: a write whose keystream is being made asks for no more
  when(job.valid && job.bits.entry >= p.params.reads.U) { assert(wanted(job.bits.entry) === 0.U) }
  private val isIt = job.valid && job.ready && job.bits.entry >= p.params.reads.U && job.bits.counter === chosen
  private val seen = RegInit(false.B)
  seen := seen || isIt
  assert(!(isIt && seen))
}

/** The generator, with any jobs, of which one at most is a write's and has a counter, any one. */
private class PadsOfJobs(p: Protection, repeats: Boolean = false) extends Module {
  val io = IO(new KeystreamGeneratorIO(p))
  val anyCounter = IO(Input(UInt(p.counterBits.W)))
  val generator = Module(p.keystreamGenerator())
  generator.io <> io
  private val chosen = ProofEnvironment.held(anyCounter)
  private val job = io.port.job
  private val isIt = job.valid && job.ready && job.bits.entry >= p.params.reads.U && job.bits.counter === chosen
  private val seen = RegInit(false.B)
  seen := seen || isIt
  if (!repeats) assume(!(isIt && seen))

  // AES blocks that were asked for with this counter, of a write. Fields as in AesInput
  private val request = io.cipher.request
  private val aesBlock = request.bits.block(log2Ceil(p.aesBlocks) - 1, 0)
  private val entry = request.bits.tag >> log2Ceil(p.aesBlocks)
  private val asked = RegInit(0.U(p.aesBlocks.W))
  when(
    request.valid && request.ready && entry >= p.params.reads.U && request.bits.block(71, 8) === chosen
  ) {
    asked := asked.bitSet(aesBlock, true.B)
    assert(!asked(aesBlock))
  }
}

/** Property (a): no pad input of a write repeats under a key.
  *
  * A pad's input has a counter and the number of an AES block. Property (b) says that no counter is given to two writes. With any store that keeps
  * this, a write has one job, and one write at most has a given counter; of such jobs, the generator asks the cipher once for a given pair of counter and
  * number. This holds however client, memory and cipher behave.
  */
// covers: memory.no-pad-twice
class PadsOfWritesProof extends ProofSuite {
  private val p = Protection(
    ProofEnvironment.small.copy(counters = Timestamps(2, MetadataCacheParams(2, 1, 1)), reads = 1, writes = 1),
    ProofEnvironment.bank
  )
  holds('a', "jobs of a read and a write, with any fresh counters")(new JobsOfWrites(p))
  holds('a', "cipher requests of the one-time pad, with any such jobs")(new PadsOfJobs(p))
  refuted('a', "a counter that is given twice", 18)(new JobsOfWrites(p, repeats = true))
  refuted('a', "a write that forgets its job", 18, change = Proof.tie("WriteUnit", "needKeystream", 1))(
    new JobsOfWrites(p)
  )
  refuted('a', "a counter that has two jobs", 10)(new PadsOfJobs(p, repeats = true))
  refuted('a', "an AES block that is asked for again", 10, change = Proof.tie("OneTimePadGenerator", "offset", 0))(
    new PadsOfJobs(p)
  )
}
