package hauberk.memory.integrity

import chisel3._
import chisel3.util._
import hauberk.memory.port.MemoryPort
import hauberk.memory.common.{AlarmCause, Geometry, KeySlot}
import hauberk.memory.cipher.{CipherPort, HashKeys}
import hauberk.memory.tree.TreeKeys
import hauberk.memory.counter.CounterResult

/** A transaction that the engine took, as a [[Verifier]] sees it. */
class TakenTransaction(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)

  /** A read that goes with a write, and takes the old value of the block out of the log for good. Log hash only. */
  val takeOnly = Bool()
  val block = UInt(p.core.blockIndexBits.W)
}

/** The polynomial hash of a transaction's block ([[PolynomialHash]]), from the hash pass of the unit that holds it. */
class BlockDigest(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)

  /** Under the first hash key of the slot in the transaction's [[CounterResult]]. */
  val first = UInt(64.W)

  /** Under the second; used by schemes of a long hash, which begin with the block's number. */
  val second = UInt(64.W)

  /** Memory refused the data of the read before any of it left: there is nothing to verify, and the verdict is not ok, without an alarm. */
  val refused = Bool()
}

/** Verdict on a transaction: the last output of a [[Verifier]] for it. */
class Verdict(val p: Geometry) extends Bundle {
  val entry = UInt(p.entryBits.W)

  /** A read: memory held the last written value. A write: its tag or log element is recorded. */
  val ok = Bool()
}

/** Ports of a [[Verifier]].
  *
  * @param cipherPorts ports to the cipher
  */
class VerifierIO(val p: Geometry, val cipherPorts: Int) extends Bundle {

  /** A read is taken into an entry, and a write has asked for its counter; before its `result`, and not before the verdict or the denial of
    * the entry's last.
    */
  val taken = Vec(2, Flipped(Valid(new TakenTransaction(p))))

  /** Entries with no older transaction of their block in flight: their tags and versions are up to date. Once set, set until the verdict. */
  val mayLook = Input(UInt(p.entries.W))

  /** Counters, as the counter store gives them to everybody. An entry that is denied gets no verdict, and is forgotten. */
  val result = Flipped(Valid(new CounterResult(p)))

  /** From the hash passes of reads and of writes, after `result`; a block that reads as zero has the digest of zeros. */
  val digest = Vec(2, Flipped(Decoupled(new BlockDigest(p))))

  /** Exactly one for every transaction that has a counter. */
  val verdict = Valid(new Verdict(p))
  val cipher = Vec(cipherPorts, new CipherPort(p))

  /** The hash keys of every slot. */
  val hashKeys = Input(Vec(KeySlot.count, new HashKeys))

  /** After a change of keys, `flush` brings everything under the current one; only then may the previous one go. */
  val treeKeys = Input(new TreeKeys)

  /** A line is being tried under the previous key; ends when `changing` has ended. */
  val treeUsesPreviousKey = Output(Bool())

  /** Tags, versions and nodes. */
  val memory = new MemoryPort(p.memory)

  /** Blocks that the package brought; the others read as zero until they are written. */
  val imageBlocks = Input(UInt((p.core.blockIndexBits + 1).W))
  val flush = Input(Bool())
  val flushing = Output(Bool())

  /** Begin a check of everything read until now, in flight or done; a pulse. Log hash only, as are the four below. */
  val check = Input(Bool())
  val checking = Output(Bool())

  /** Please read this block; one at a time, and `touched` when it is answered. */
  val touch = Decoupled(UInt(p.core.blockIndexBits.W))
  val touched = Input(Bool())

  /** A cause of [[AlarmCause]] other than none, for one cycle; the engine halts. */
  val alarm = Output(UInt(AlarmCause.width.W))
  val alarmAddress = Output(UInt(p.memory.addressBits.W))

  /** Something that is in use is not verified yet. Does not tell of transactions, which have verdicts. */
  val unverified = Output(Bool())

  /** Of that, something was in use for longer than the verdict timeout; for one cycle. */
  val late = Output(Bool())

  /** A pulse, and one that answers it: what verdicts until the first rest on is verified. Not of the log hash, which has checks. */
  val fence = Input(Bool())
  val fenced = Output(Bool())

  /** Look-ups of tags or versions, and of tree nodes, that their caches answered, and that they did not. */
  val hit = Output(Bool())
  val miss = Output(Bool())
  val nodeHit = Output(Bool())
  val nodeMiss = Output(Bool())

  /** Registers may change in the next cycle though no port asks for it. */
  val busy = Output(Bool())
}

/** Verifies reads and records writes: a member of the integrity policy. What its hardware keeps in memory, memory cannot
  * change unnoticed, or only until the verification the policy promises.
  */
abstract class Verifier(val p: Geometry) extends Module {
  val io = IO(new VerifierIO(p, p.verifierCipherPorts))

  /** For the verifiers that have no check. */
  protected def withoutCheck(): Unit = {
    io.checking := false.B
    io.touch.valid := false.B
    io.touch.bits := 0.U
  }

  /** For the verifiers that have no tree. */
  protected def withoutNodes(): Unit = {
    io.treeUsesPreviousKey := false.B
    io.nodeHit := false.B
    io.nodeMiss := false.B
  }
}
