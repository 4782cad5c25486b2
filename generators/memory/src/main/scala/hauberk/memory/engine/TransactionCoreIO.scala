package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot, Reencryption}
import hauberk.memory.cipher.{CipherPort, HashKeys}
import hauberk.memory.mode.KeystreamPort
import hauberk.memory.counter.{CounterHint, CounterStoreKeys}
import hauberk.memory.region.{RegionTable, RegionWrite}

/** Lookups of a kind of metadata in this cycle. */
class LookupEvents extends Bundle {
  val hit = Bool()
  val miss = Bool()
}

/** Events counted by the statistics. */
class CoreEvents extends Bundle {
  val counter = new LookupEvents

  /** Of block tags or versions of the log. */
  val tag = new LookupEvents
  val node = new LookupEvents
  val verified = Bool()

  /** A client's partial write was taken. */
  val partial = Bool()

  /** A beat of a zero write of the initialiser goes to memory. */
  val zeroes = Bool()

  /** A write got a hinted counter; a hint was ignored. */
  val steered, ignoredHint = Bool()

  /** A write joined one in flight; a read got its bytes from there. */
  val joined, forwarded = Bool()
}

/** Ports of the [[TransactionCore]]. */
class TransactionCoreIO(val p: Geometry) extends Bundle {

  /** Reads and writes of any size, of the data region only. */
  val client = Flipped(new MemoryPort(p.core))
  val memory = new MemoryPort(p.memory)

  /** Accesses may come: from then on until reset. */
  val initialised = Output(Bool())
  val keystream = Flipped(new KeystreamPort(p))
  val hint = if (p.takesHints) Some(Flipped(Valid(new CounterHint(p.core.blockIndexBits)))) else None
  val flush = Input(Bool())
  val flushing = Output(Bool())
  val check = Input(Bool())
  val checking = Output(Bool())
  val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
  val regionWrite =
    if (p.regions.entries == 0) None
    else Some(Flipped(Valid(new RegionWrite(p.regions, RegionTable.granuleBits(p.regions, p.core)))))

  /** The counter store's ports to the cipher, then the verifier's. */
  val cipher = Vec(p.cipherUsers - 1, new CipherPort(p))
  val hashKeys = Input(Vec(KeySlot.count, new HashKeys))
  val owner = p.asksOwners.map(entryBits => new OwnerPort(entryBits, p.core.blockIndexBits))
  val keys = new CounterStoreKeys

  /** Blocks to be re-encrypted, and blocks to be read. */
  val reencrypt = Decoupled(new Reencryption(p))
  val reencrypted = Flipped(Valid(UInt(p.reencryptionBits.W)))

  /** There is room for a re-encryption beside what is kept for one. */
  val spare = Output(Bool())
  val touch = Decoupled(UInt(p.core.blockIndexBits.W))
  val touched = Input(Bool())
  val rekeying = Output(Bool())

  /** No write may begin but those of blocks being re-encrypted. */
  val hold = Output(Bool())
  val alarm = Output(UInt(AlarmCause.width.W))
  val alarmAddress = Output(UInt(p.core.addressBits.W))
  val events = Output(new CoreEvents)

  /** Something was used that is not verified yet. */
  val unverified = Output(Bool())

  /** Nothing enters any more until reset. */
  val halted = Input(Bool())

  /** Partial writes that have not asked for their counters are denied. */
  val abandon = Input(Bool())

  /** A transaction is in flight; registers may change in the next cycle though no port asks for it. */
  val inFlight, busy = Output(Bool())
}
