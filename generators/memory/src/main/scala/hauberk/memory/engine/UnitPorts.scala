package hauberk.memory.engine

import chisel3._
import chisel3.util._
import hauberk.memory.port.{MemoryRequest, MemoryResponse}
import hauberk.memory.common.{Geometry, KeySlot}
import hauberk.memory.cipher.HashKeys
import hauberk.memory.cache.LookupAnswer
import hauberk.memory.mode.{BufferPort, Keystream, KeystreamAhead, KeystreamGenerator, KeystreamJob}
import hauberk.memory.counter.CounterResult
import hauberk.memory.integrity.{BlockDigest, Verdict}

/** A request of one transaction for its counter; answered in the same cycle. */
class LookupPort(val p: Geometry) extends Bundle {
  val valid = Output(Bool())
  val write = Output(Bool())
  val block = Output(UInt(p.core.blockIndexBits.W))
  val entry = Output(UInt(p.entryBits.W))

  /** The first time this transaction asks; statistics count a block access once. */
  val fresh = Output(Bool())
  val granted = Input(Bool())
  val answer = Input(new LookupAnswer)
}

/** Progress of a transaction in the cycle of its acceptance. */
class TakenNow extends Bundle {
  val lookup = new LookupAnswer
  val issued = Bool()
}

/** Common ports of the units of reads and of writes.
  *
  * @param own    transactions that this unit has in flight
  * @param others those of the other
  */
abstract class TransactionUnitIO(geometry: Geometry, own: Int, others: Int) extends Bundle {

  /** Progress of the transaction on `take` in its first cycle. */
  val taken = Input(new TakenNow)

  /** Where the next transaction will be kept. */
  val free = Output(UInt(geometry.entryBits.W))

  /** Entries whose transaction is of this block, that are in use, and that end in this cycle. */
  val block = Input(UInt(geometry.core.blockIndexBits.W))
  val matches = Output(UInt(own.W))
  val inFlight = Output(UInt(own.W))
  val done = Output(UInt(own.W))

  /** Entries of the other unit that end. */
  val othersDone = Input(UInt(others.W))

  /** No older transaction of the entry's block is in flight. */
  val mayLook = Output(UInt(own.W))
  val events = Input(new UnitEvents(geometry))
  val lookup = new LookupPort(geometry)
  val job = Decoupled(new KeystreamJob(geometry))
  val ahead = Valid(new KeystreamAhead(geometry))
  val buffer = Vec(KeystreamGenerator.bufferPorts, Flipped(new BufferPort(geometry)))
  val digest = Decoupled(new BlockDigest(geometry))
  val hashKeys = Input(Vec(KeySlot.count, new HashKeys))
  val issue = Decoupled(new MemoryRequest(geometry.memory))
  val memory = Flipped(Decoupled(new MemoryResponse(geometry.memory)))
  val client = Decoupled(new MemoryResponse(geometry.core))
}

/** A read to be taken. */
class ReadTake(val p: Geometry) extends Bundle {
  val request = new MemoryRequest(p.core)

  /** It belongs to a write in the entry `target`, and the client gets no answer: the write needs the block's old bytes (`merges`), or the
    * log is to lose the block's old value.
    */
  val forWrite = Bool()
  val merges = Bool()
  val target = UInt(p.writeIndexBits.W)
}

/** A beat of a block's old bytes, for the partial write in the entry `target`. */
class MergeBeat(val p: Geometry) extends Bundle {
  val target = UInt(p.writeIndexBits.W)
  val beat = UInt(p.core.beatIndexBits.W)
  val data = UInt(p.core.beatBits.W)
  val last = Bool()

  /** With the last beat: the read failed, and there is nothing to write. */
  val denied = Bool()
}

/** Events of the counter store, the keystream generator and the verifier, for the units of the core. */
class UnitEvents(val p: Geometry) extends Bundle {
  val retry = Bool()
  val result = Valid(new CounterResult(p))

  /** The result is that of a block that stays in plaintext. */
  val plain = Bool()

  /** Pending verdicts, as in [[CounterStoreIO]]. */
  val pending = UInt(p.counterFetches.W)
  val failed = Bool()
  val keystream = Valid(new Keystream(p))
  val verdict = Valid(new Verdict(p))
}
