package hauberk.memory

import chisel3._
import chisel3.util.isPow2
import hauberk.crypto.AesParams
import hauberk.fault.FaultChecks
import hauberk.memory.layout.{MetadataLayout, MetadataShape}
import hauberk.memory.common.{Bank, Geometry, MetadataCacheParams, RegionParams}
import hauberk.memory.mode._
import hauberk.memory.counter._
import hauberk.memory.integrity._
import hauberk.memory.engine.EngineParts

/** User parameters and the bank they are for, resolved and checked once: the composition root, which alone knows every policy and the
  * hardware that belongs to it.
  */
case class Protection(params: ProtectionParams, bank: Bank) extends Geometry with EngineParts {
  import params.{counters, integrity, mode}
  require(
    params.reads > 0 && params.writes > 0,
    s"reads (${params.reads}) and writes (${params.writes}) in flight must both be at least 1"
  )
  require(
    bank.engine >= 0 && bank.engine < 256,
    s"engine number ${bank.engine} does not fit the 8 bits it has in an AES input: use at most 256 engines"
  )
  val layout: MetadataLayout = Protection.layout(params, bank.localBytes, bank.blockBytes)
  require(
    isPow2(bank.blockBytes) && bank.blockBytes >= counters.leastBlockBytes,
    s"a block of ${bank.blockBytes} bytes cannot be: ${counters.name} asks for a power of two of at least ${counters.leastBlockBytes}"
  )
  require(
    bank.beatBytes <= 16,
    s"beatBytes is ${bank.beatBytes}: an engine moves at most one AES block (16 bytes) a cycle"
  )
  require(
    !reencrypts || (params.reads > 1 && params.writes > 1),
    s"reads (${params.reads}) and writes (${params.writes}) in flight must both be at least 2: one of each is kept for re-encryption"
  )
  require(
    params.writes <= counters.maximalWrites,
    s"${params.writes} writes in flight are more than ${counters.name} take: use at most ${counters.maximalWrites}"
  )

  def faults: FaultChecks = params.faults
  def reads: Int = params.reads
  def writes: Int = params.writes
  def regions: RegionParams = params.regions
  def postedWrites: Boolean = params.postedWrites
  def postsAtOnce: Boolean = postedWrites && counters.answersWritesAtOnce
  def aes: AesParams = params.cipher

  def needsWholeBlocks: Boolean = mode.wholeBlocks
  def needsData(direct: Bool): Bool = mode.needsData(direct)
  def usesInverseCipher: Boolean = mode.decrypts || counters.decrypts
  def usesTweakKeys: Boolean = mode.usesTweakKeys || counters.usesTweakKeys

  def counterBits: Int = counters.counterBits
  def counterFetches: Int = counters.fetches
  lazy val counterMemoryIds: Int = counters.memoryIds(layout, counterTree)
  lazy val counterCipherPorts: Int = counters.cipherPorts(layout, counterTree)
  def initialisesCounters: Boolean = counters.needsInitialisation(guardsCounters)
  def countersReencrypt: Boolean = counters.reencrypts
  def cachesCounters: Boolean = counters.hasCache
  def takesHints: Boolean = counters.takesHints
  def expectedPads: Int = counters.expectedPads

  def verifies: Boolean = integrity != NoIntegrity
  def blocking: Boolean = params.verification.blocks
  def byOwner: Boolean = params.verification.asksOwners
  def verdictTimeout: Int = params.verdictTimeout
  lazy val verifierMemoryIds: Int = integrity.memoryIds(layout)
  lazy val verifierCipherPorts: Int = integrity.cipherPorts(layout)
  def overPlaintext: Boolean = integrity.overPlaintext
  def longHash: Boolean = integrity.longHash
  def takesOldValues: Boolean = integrity.takesOldValues
  def counterTree: Option[MetadataCacheParams] = integrity.counterTree

  def keystreamGenerator(): KeystreamGenerator = mode match {
    case OneTimePad => if (expectedPads > 0) new ExpectedPadGenerator(this) else new OneTimePadGenerator(this)
    case cbc: DirectCbc => new DirectCbcGenerator(this, cbc.jobs)
    case Xts => new XtsGenerator(this)
    case PadOrDirect => new PadOrDirectGenerator(this)
    case other => Protection.unknown("mode", other.name)
  }

  def counterStore(): CounterStore = counters match {
    case timer: Timestamps => new TimestampStore(this, timer)
    case split: SplitCounters => new SplitCounterStore(this, split)
    case numbers: SequenceNumberCache if numbers.replaces => new SequenceNumberStore(this, numbers)
    case numbers: SequenceNumberCache => new FixedNumberStore(this, numbers)
    case NoCounters => new NoCounterStore(this)
    case steered: CompilerCounters => new CompilerCounterStore(this, steered)
    case other => Protection.unknown("counter store", other.name)
  }

  def verifier(): Verifier = integrity match {
    case NoIntegrity => new NoVerifier(this)
    case BlockMac(tags) => new MacVerifier(this, tags, None)
    case tree: BonsaiTree => new MacVerifier(this, tree.tags, None)
    case tree: HashTree => new MacVerifier(this, tree.tags, Some(tree))
    case log: LogHash => new LogVerifier(this, log)
  }
}

/** Builds layout and hardware of each policy: the composition root. */
object Protection {

  /** Layout of a bank under these parameters. */
  def layout(params: ProtectionParams, localBytes: BigInt, blockBytes: Int): MetadataLayout = {
    MetadataLayout.checkBlockBytes(blockBytes)
    val counters = MetadataShape(countersPerLine = params.counters.countersPerLine(blockBytes))
    MetadataLayout(localBytes, blockBytes, params.integrity.shape(counters, blockBytes))
  }

  /** Identifiers on the memory side of any bank, for a bus adapter that does not know its memory yet: those of a very large one. */
  def maximalMemoryIds(params: ProtectionParams, blockBytes: Int): Int = {
    val large = layout(params, BigInt(1) << 40, blockBytes)
    params.reads + params.writes + params.counters.memoryIds(large, params.integrity.counterTree) +
      params.integrity.memoryIds(large)
  }

  private def unknown(policy: String, name: String) = throw new IllegalArgumentException(
    s"no hardware is known for the $policy $name: add it to Protection, the composition root"
  )
}
