package hauberk.memory.common

import chisel3._
import chisel3.util._
import hauberk.crypto.{AesDirection, AesParams}
import hauberk.fault.FaultChecks
import hauberk.memory.port.MemoryPortParams
import hauberk.memory.layout.MetadataLayout

/** Widths, identifiers and layout of one engine: all that its modules know of the scheme they belong to. Policies are not named here; the
  * composition root answers for them.
  */
abstract class Geometry {
  def bank: Bank
  def layout: MetadataLayout

  /** How state on the chip is kept. */
  def faults: FaultChecks

  /** Reads and writes in flight. */
  def reads: Int
  def writes: Int
  def regions: RegionParams

  /** Writes are acknowledged before memory has them. */
  def postedWrites: Boolean

  /** A write is acknowledged when its beats are in: its counter, and the old bytes of its block, come later. */
  def postsAtOnce: Boolean

  /** A posted write joins one of its block that is not on its way to memory yet, and whose bytes nothing has been made of. */
  def combinesWrites: Boolean = postsAtOnce && core.blockBeats == 1 && !verifies && !needsWholeBlocks

  /** The mode reads fetched blocks as a whole, because keystream may depend on a block's own bytes. */
  def needsWholeBlocks: Boolean

  /** A transaction's keystream depends on the block's own bytes. `direct`: the block has no counter. */
  def needsData(direct: Bool): Bool

  /** The mode decrypts with the cipher's inverse; the mode or the counter store uses XTS tweak keys. */
  def usesInverseCipher: Boolean
  def usesTweakKeys: Boolean

  /** Width of a counter. */
  def counterBits: Int

  /** Counter lines that a counter tree may be verifying at the same time. */
  def counterFetches: Int

  /** The counter store's identifiers on the memory side, and its ports to the cipher. */
  def counterMemoryIds: Int
  def counterCipherPorts: Int

  /** Counter lines are zeroed in memory before their first use. */
  def initialisesCounters: Boolean

  /** The counter store has blocks re-encrypted in the background. */
  def countersReencrypt: Boolean

  /** The counter store has a cache. */
  def cachesCounters: Boolean

  /** A program's hints reach the counter store. */
  def takesHints: Boolean

  /** Blocks whose keystream is made ahead, for counters that they are expected to have; 0 where counters are not expected. */
  def expectedPads: Int

  /** There is a verifier. The rest of this group is false or zero without one. */
  def verifies: Boolean

  /** Nothing leaves the engine before it is verified. */
  def blocking: Boolean

  /** Only what is in pages that have an owner waits for its verdict: [[hauberk.memory.integrity.Verification.ByOwner]]. */
  def byOwner: Boolean

  /** Cycles for which anything may be in use without a verdict: more raise the alarm. */
  def verdictTimeout: Int

  /** Something may be in use before it is verified. */
  def speculates: Boolean = verifies && !blocking
  def verifierMemoryIds: Int
  def verifierCipherPorts: Int

  /** Digests cover the plaintext and not the ciphertext. */
  def overPlaintext: Boolean

  /** Digests have 120 bits and begin with the block's number. */
  def longHash: Boolean

  /** A write takes the block's old value out of a log first. */
  def takesOldValues: Boolean

  /** Cache of the nodes of each level of a tree over the counter lines. */
  def counterTree: Option[MetadataCacheParams]

  /** The cipher core, before its direction and the width of its tags are set. */
  def aes: AesParams

  def guardsCounters: Boolean = counterTree.nonEmpty

  /** Width of the number of a read in flight, if its page's owner is asked for. */
  def asksOwners: Option[Int] = if (byOwner) Some(math.max(1, log2Ceil(reads))) else None

  /** AES blocks in a protected block, the last of which may be used in part; and the width of their numbers. */
  lazy val aesBlocks: Int = math.max(1, bank.blockBytes / 16)
  lazy val aesBlockBits: Int = math.max(1, log2Ceil(aesBlocks))

  /** Transactions in flight: reads come first, then writes. */
  lazy val entries: Int = reads + writes
  lazy val entryBits: Int = math.max(1, log2Ceil(entries))
  def isWrite(entry: UInt): Bool = entry >= reads.U
  lazy val writeIndexBits: Int = math.max(1, log2Ceil(writes))

  lazy val client: MemoryPortParams =
    MemoryPortParams(log2Ceil(bank.localBytes), bank.beatBytes, bank.blockBytes, bank.idBits)

  /** Inside: an identifier bit more, the most significant one, tells the engine's own transactions from the client's. */
  lazy val core: MemoryPortParams = if (reencrypts) client.copy(idBits = client.idBits + 1) else client

  /** Of a re-encryption or a touch, which others may be waiting for. */
  def isInternal(id: UInt): Bool = if (reencrypts) id(core.idBits - 1) else false.B

  /** Re-encryptions under way at most: each has a read and a write in flight, of which clients need some, too. */
  lazy val reencryptions: Int =
    if (countersReencrypt) math.max(1, Seq(reads / 2, writes / 2, 4, 1 << client.idBits).min) else 1
  lazy val reencryptionBits: Int = math.max(1, log2Ceil(reencryptions))

  /** Reads fetch whole blocks, also for partial requests. */
  lazy val wholeBlocks: Boolean = needsWholeBlocks || verifies

  /** Some blocks are re-encrypted in the background. */
  lazy val reencrypts: Boolean = countersReencrypt || takesOldValues

  /** Identifiers on the memory side: one a transaction, then those of the counter store and of the verifier. */
  lazy val counterIds: Int = entries
  lazy val verifierIds: Int = counterIds + counterMemoryIds
  lazy val memoryIds: Int = verifierIds + verifierMemoryIds
  lazy val memory: MemoryPortParams = client.copy(idBits = log2Ceil(memoryIds))

  /** The cipher's users: the mode's, the counter store's, the verifier's. */
  lazy val cipherUsers: Int = 1 + counterCipherPorts + verifierCipherPorts
  lazy val cipherTagBits: Int = math.max(8, entryBits + aesBlockBits + 2)
  lazy val cipherPortBits: Int = log2Ceil(cipherUsers + 1)
  lazy val cipher: AesParams = aes.copy(
    direction = if (usesInverseCipher) AesDirection.Both else AesDirection.Encrypt,
    tagBits = cipherTagBits + cipherPortBits
  )
  def usesHashKeys: Boolean = verifies
}
