package hauberk.memory.counter

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot, MetadataCacheParams, Reencryption}
import hauberk.memory.cipher.{CipherPort, HashKeys}
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.mode.ExpectedKeystream

/** A member of the counter store policy: where the counter of a block comes from, and where it is kept. */
trait CounterStoreParams {
  def name: String

  /** Width of a counter in the keystream. */
  def counterBits: Int

  /** How counters lie in a line of memory, for tools: plain (words), pairs, per-address, split, spilled, written bits, or none. */
  def lineFormat: String = "plain"

  /** The smallest block whose counters it keeps. */
  def leastBlockBytes: Int = 32

  /** Keeps counters on the chip. */
  def hasCache: Boolean = true

  /** Takes a program's hints: [[CounterHint]]. */
  def takesHints: Boolean = false

  /** A write has its counter in the cycle after its look-up, whatever memory says. */
  def answersWritesAtOnce: Boolean = false

  /** Says what counters it expects, for so many blocks whose keystream is then made ahead. */
  def expectedPads: Int = 0

  /** Blocks whose counters share a line in memory, 0 if none are kept there. */
  def countersPerLine(blockBytes: Int): Int

  /** Every write gets a counter its block never had under this key. */
  def isFresh: Boolean = true

  /** The next counter of a block is derived from memory's contents, and is fresh only if memory cannot roll them back. */
  def trustsMemory: Boolean

  /** A line has 64 bits to spare for the MAC of a counter tree. */
  def leavesRoomForMac: Boolean

  /** The same with another cache, by its bytes, in lines of a block, and ways; None if it has no cache. */
  def resize(bytes: Int, ways: Int): Option[CounterStoreParams] = None

  /** Has blocks re-encrypted in the background. */
  def reencrypts: Boolean

  /** Writes in flight at most. */
  def maximalWrites: Int = Int.MaxValue

  /** Re-encrypts all memory under a new key. */
  def rekeys: Boolean = false

  /** Lines that a counter tree may be verifying at the same time. */
  def fetches: Int = 0

  /** Lines must be zeroed in memory before their first use. */
  def needsInitialisation(guarded: Boolean): Boolean = !guarded

  /** Uses the tweak keys of XTS, and the cipher backwards. */
  def usesTweakKeys: Boolean = false
  def decrypts: Boolean = false

  /** Identifiers on the memory side, and ports to the cipher, with the guard of its lines. */
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int
  def cipherPorts(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int = 0
}

/** The counter of a transaction. */
class CounterResult(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)
  val counter = UInt(p.counterBits.W)

  /** The key slot the block is under. */
  val key = UInt(KeySlot.width.W)

  /** The block has no counter, and is encrypted directly. */
  val direct = Bool()

  /** There is no counter: the transaction must be denied without touching memory. */
  val denied = Bool()
}

/** A counter store's inputs and requests that concern keys. */
class CounterStoreKeys extends Bundle {
  val usable = Input(Vec(KeySlot.count, Bool()))

  /** A fresh random key is needed in this slot; holds until the slot is usable. */
  val wanted = Valid(UInt(KeySlot.width.W))

  /** Nothing is under this key any more; for one cycle. */
  val zeroize = Valid(UInt(KeySlot.width.W))
}

/** Ports of a counter store. */
class CounterStoreIO(val p: Geometry) extends Bundle {
  val lookup = new Bundle {
    val valid = Input(Bool())

    /** Set asks for a fresh counter for a write and records it; clear asks for the counter last recorded. */
    val write = Input(Bool())
    val block = Input(UInt(p.core.blockIndexBits.W))
    val entry = Input(UInt(p.entryBits.W))
    val answer = Output(new LookupAnswer)
  }
  val result = Valid(new CounterResult(p))

  /** What a program says of its next accesses. */
  val hint = if (p.takesHints) Some(Flipped(Valid(new CounterHint(p.core.blockIndexBits)))) else None

  /** A block that will be read, or is being read, and the counter and key that it probably has. */
  val expected = if (p.expectedPads > 0) Some(Valid(new ExpectedKeystream(p))) else None

  /** A write gets a hinted counter; a hint names what does not exist. */
  val steered, ignored = if (p.takesHints) Some(Output(Bool())) else None

  /** Pending verdicts on which a result rests: it is proven when each bit that was set as it was given has been clear once, and `failed` is clear in the cycle
    * after. Only of stores whose lines a counter tree guards.
    */
  val pending = Output(UInt(p.counterFetches.W))
  val failed = Output(Bool())
  val retry = Output(Bool())

  /** Metadata traffic, with identifiers from `p.counterIds` on. Responses are never refused for long. */
  val memory = new MemoryPort(p.memory)
  val cipher = Vec(p.counterCipherPorts, new CipherPort(p))
  val hashKeys = Input(Vec(KeySlot.count, new HashKeys))
  val keys = new CounterStoreKeys

  /** Blocks to read and write back under a fresh counter; such accesses wait for no other block's. */
  val reencrypt = Decoupled(new Reencryption(p))

  /** The one of a slot is complete. */
  val reencrypted = Flipped(Valid(UInt(p.reencryptionBits.W)))

  /** Blocks the package brought. */
  val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))

  /** Something is in use whose verification is pending. */
  val unverified = Output(Bool())

  /** A re-encryption of all memory is under way. */
  val rekeying = Output(Bool())

  /** Counters are short until it has ended: no write may begin but those of blocks being re-encrypted. */
  val hold = Output(Bool())
  val flush = Input(Bool())
  val flushing = Output(Bool())

  /** A cause of [[AlarmCause]] other than none, for one cycle; the engine halts. */
  val alarm = Output(UInt(AlarmCause.width.W))
  val alarmAddress = Output(UInt(p.memory.addressBits.W))
  val hit = Output(Bool())
  val miss = Output(Bool())

  /** Look-ups of tree nodes. */
  val nodeHit = Output(Bool())
  val nodeMiss = Output(Bool())

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())
}

/** Answers look-ups in the order they are accepted, for each block. */
abstract class CounterStore(val p: Geometry) extends Module {
  val io = IO(new CounterStoreIO(p))

  /** For stores that never re-encrypt. */
  protected def neverReencrypts(): Unit = {
    io.reencrypt.valid := false.B
    io.reencrypt.bits := 0.U.asTypeOf(io.reencrypt.bits)
    neverRekeys()
  }

  /** For stores that never re-encrypt all memory under a new key. */
  protected def neverRekeys(): Unit = {
    io.rekeying := false.B
    io.hold := false.B
    io.keys.wanted.valid := false.B
    io.keys.wanted.bits := 0.U
    io.keys.zeroize.valid := false.B
    io.keys.zeroize.bits := 0.U
  }

  /** For stores whose lines nothing guards. */
  protected def nothingGuards(): Unit = {
    io.pending := 0.U
    io.failed := false.B
    io.unverified := false.B
    io.nodeHit := false.B
    io.nodeMiss := false.B
  }
}
