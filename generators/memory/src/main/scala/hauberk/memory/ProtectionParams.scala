package hauberk.memory

import chisel3._
import chisel3.util.{isPow2, log2Ceil}
import hauberk.crypto.{AesDirection, AesParams}

/** What a user chooses: one member of every policy. Resolved by [[Protection]] into a checked, immutable object.
  *
  * @param mode         how a block becomes ciphertext
  * @param counters     where the counter of a block comes from and is kept
  * @param integrity    what detects that memory was tampered with
  * @param verification when what memory answered may be used
  * @param cipher       the AES core; its direction and tag width are set by the mode
  * @param reads        reads in flight
  * @param writes       writes in flight
  * @param regions      memory that is left in plaintext, or has a key of its own
  */
case class ProtectionParams(
    mode: Mode = OneTimePad,
    counters: CounterStoreParams = GlobalTimer(),
    integrity: Integrity = NoIntegrity,
    verification: Verification = Verification.Blocking,
    cipher: AesParams = AesParams(extraLatency = 1),
    reads: Int = 16,
    writes: Int = 32,
    regions: RegionParams = RegionParams()
) {
  require(
    !counters.trustsMemory || integrity.guardsCounters,
    s"${counters.name} derives a counter from what memory holds, and ${integrity.name} integrity does not keep memory from " +
      "rolling it back, which would use a pad twice: use the integrity policy BonsaiTree, or counters from a global timer"
  )
  require(
    !integrity.guardsCounters || counters.leavesRoomForMac,
    s"${counters.name} fills its lines, and ${integrity.name} integrity needs 64 bits of each for a MAC: use SplitCounters"
  )
  require(
    integrity == NoIntegrity || counters.isFresh,
    s"${counters.name} gives no block a counter of its own, which ${integrity.name} integrity needs in every tag: use a counter store"
  )
  require(
    verification == Verification.Blocking || integrity != NoIntegrity,
    "speculative verification has nothing to verify and no alarm to raise: choose an integrity policy, or Verification.Blocking"
  )
  require(
    verification == Verification.Speculative || !integrity.isInstanceOf[LogHash],
    "the log hash verifies a sequence of accesses afterwards, and cannot hold back any of them: use Verification.Speculative"
  )
  require(
    mode.counterless || counters.isFresh,
    s"the mode ${mode.name} needs a fresh counter for every write, and ${counters.name} gives none: choose a counter store"
  )
  require(
    regions.entries == 0 || integrity == NoIntegrity,
    s"${integrity.name} integrity would not cover regions that are left in plaintext: use regions without integrity, or no regions"
  )
  require(
    regions.entries == 0 || !counters.refreshes,
    s"${counters.name} re-encrypts memory under one key, whatever region it is in: use no regions, or counters that never re-encrypt"
  )

  /** What a client of the memory is promised. */
  def claims: Seq[String] = Seq("confidentiality") ++
    (if (integrity.detectsTampering) Seq("integrity") else Nil) ++ (if (integrity.detectsReplay) Seq("freshness")
                                                                    else Nil)
}

/** Named points of the parameter space, each built from another by `copy`. */
object ProtectionParams {

  /** AEGIS section 6.3 with the sizes of its table 2, and an AES core of eleven cycles. */
  val aegisOtp: ProtectionParams = ProtectionParams()

  /** Direct encryption, AEGIS section 6.2, the scheme of XOM: CBC within a block, stored initial vector. */
  val xom: ProtectionParams = aegisOtp.copy(mode = DirectCbc())

  /** AEGIS with the cached hash tree of its section 5. */
  val aegisHashTree: ProtectionParams = aegisOtp.copy(integrity = HashTree(), verification = Verification.Speculative)

  /** AEGIS with the log hash of its section 5. */
  val aegisLogHash: ProtectionParams = aegisOtp.copy(integrity = LogHash(), verification = Verification.Speculative)

  /** One-time pads and a tag a block: what was changed or moved is found out, and an old block is not. */
  val blockMac: ProtectionParams = aegisOtp.copy(integrity = BlockMac())

  /** One-time pads with a sequence number cache of 64 KB and 32 ways, with replacement (Yang et al., MICRO 2003). */
  val yangSncLru: ProtectionParams = aegisOtp.copy(counters = SequenceNumberCache())

  /** The same without replacement: lines that find no room are encrypted directly. */
  val yangSncNoReplacement: ProtectionParams =
    aegisOtp.copy(mode = PadOrDirect, counters = SequenceNumberCache(replaces = false))

  /** XTS-AES, what industry ships: no counters, no freshness. */
  val xts: ProtectionParams = aegisOtp.copy(mode = Xts, counters = NoCounters)

  /** Split counters, block tags and a counter tree: confidential, intact and fresh, the best since the papers. Verified in the background. */
  val bonsaiTree: ProtectionParams =
    aegisOtp.copy(counters = SplitCounters(), integrity = BonsaiTree(), verification = Verification.Speculative)

  /** The same, and nothing leaves the engine before it is verified. */
  val bonsaiTreeBlocking: ProtectionParams = bonsaiTree.copy(verification = Verification.Blocking)

  /** Presets by name. */
  val presets: Map[String, ProtectionParams] = Map(
    "Xom" -> xom,
    "AegisOtp" -> aegisOtp,
    "AegisHashTree" -> aegisHashTree,
    "AegisLogHash" -> aegisLogHash,
    "BlockMac" -> blockMac,
    "BonsaiTree" -> bonsaiTree,
    "BonsaiTreeBlocking" -> bonsaiTreeBlocking,
    "YangSncLru" -> yangSncLru,
    "YangSncNoReplacement" -> yangSncNoReplacement,
    "Xts" -> xts
  )
}

/** The stripe of memory one engine guards.
  *
  * @param localBytes size of the stripe
  * @param beatBytes  width of the memory bus
  * @param blockBytes cache block size
  * @param idBits     width of a client's transaction identifier
  * @param engine     number of the engine; part of every AES input, so that engines under one key never share a pad
  */
case class Stripe(localBytes: BigInt, beatBytes: Int = 8, blockBytes: Int = 64, idBits: Int = 4, engine: Int = 0)

/** User parameters and geometry, resolved and checked once; what the hardware is built from. */
case class Protection(params: ProtectionParams, stripe: Stripe) {
  require(
    params.reads > 0 && params.writes > 0,
    s"reads (${params.reads}) and writes (${params.writes}) in flight must both be at least 1"
  )
  require(
    stripe.engine >= 0 && stripe.engine < 256,
    s"engine number ${stripe.engine} does not fit the 8 bits it has in an AES input: use at most 256 engines"
  )
  require(
    stripe.blockBytes % 16 == 0,
    s"blockBytes is ${stripe.blockBytes}: it must be a multiple of the AES block, 16"
  )

  val layout: MetadataLayout = Protection.layout(params, stripe.localBytes, stripe.blockBytes)

  /** AES blocks in a protected block. */
  val chunks: Int = stripe.blockBytes / 16
  require(
    isPow2(chunks) && chunks >= 2,
    s"a block of ${stripe.blockBytes} bytes has $chunks AES blocks: use 32, 64, 128..."
  )
  require(
    stripe.beatBytes <= 16,
    s"beatBytes is ${stripe.beatBytes}: an engine moves at most one AES block (16 bytes) a cycle"
  )

  /** Transactions in flight: reads come first, then writes. */
  val entries: Int = params.reads + params.writes
  val entryBits: Int = math.max(1, log2Ceil(entries))
  val counterBits: Int = params.counters.counterBits

  val client: MemoryPortParams =
    MemoryPortParams(log2Ceil(stripe.localBytes), stripe.beatBytes, stripe.blockBytes, stripe.idBits)

  /** Inside: behind the merger; with re-encryptions put in; behind their merger; and with what takes old values out of the log. An identifier
    * bit more tells each unit's own transactions from those before it.
    */
  val merged: MemoryPortParams = client.copy(idBits = client.idBits + 1)
  val refreshing: MemoryPortParams = client.copy(idBits = client.idBits + 2)
  val refreshed: MemoryPortParams = client.copy(idBits = client.idBits + 3)
  val takesOldValues: Boolean = params.integrity.takesOldValues
  val core: MemoryPortParams = if (takesOldValues) client.copy(idBits = client.idBits + 4) else refreshed

  /** Part of a re-encryption, which others may be waiting for. */
  def isRefresh(id: UInt): Bool = id(refreshed.idBits - 1, refreshing.idBits - 1).orR

  /** A read that only takes the old value out of the log. */
  def isTake(id: UInt): Bool = if (takesOldValues) id(core.idBits - 1) else false.B

  /** Reads fetch whole blocks, whatever of them was asked for. */
  val wholeBlocks: Boolean = params.mode.wholeBlocks || params.integrity != NoIntegrity

  /** Some blocks are re-encrypted in the background. */
  val refreshes: Boolean = params.counters.refreshes || takesOldValues
  require(
    !refreshes || (params.reads > 1 && params.writes > 1),
    s"reads (${params.reads}) and writes (${params.writes}) in flight must both be at least 2: one of each is kept for re-encryption"
  )

  /** Identifiers on the memory side: one a transaction, then those of the counter store and of the verifier. */
  val counterIds: Int = entries
  val verifierIds: Int = counterIds + params.counters.memoryIds(layout, params.integrity)
  val memoryIds: Int = Protection.memoryIds(params, layout)
  val memory: MemoryPortParams = client.copy(idBits = log2Ceil(memoryIds))

  /** The cipher's users: the mode's, the counter store's, the verifier's. */
  val cipherUsers: Int =
    1 + params.counters.cipherPorts(layout, params.integrity) + params.integrity.cipherPorts(layout)
  val cipherTagBits: Int = math.max(8, entryBits + log2Ceil(chunks) + 2)
  val cipherPortBits: Int = log2Ceil(cipherUsers + 1)
  val usesTweakKeys: Boolean = params.mode.usesTweakKeys || params.counters.usesTweakKeys
  val usesHashKeys: Boolean = params.integrity != NoIntegrity
  val cipher: AesParams = params.cipher.copy(
    direction = if (params.mode.decrypts || params.counters.decrypts) AesDirection.Both else AesDirection.Encrypt,
    tagBits = cipherTagBits + cipherPortBits
  )
}

object Protection {

  /** Where a stripe under these parameters keeps what. */
  def layout(params: ProtectionParams, localBytes: BigInt, blockBytes: Int): MetadataLayout = {
    MetadataLayout.checkBlockBytes(blockBytes)
    val counters = MetadataShape(countersPerLine = params.counters.countersPerLine(blockBytes))
    MetadataLayout(localBytes, blockBytes, params.integrity.shape(counters, blockBytes))
  }

  /** Identifiers on the memory side of any stripe, for a bus adapter that does not know its memory yet: those of a very large one. */
  def maximalMemoryIds(params: ProtectionParams, blockBytes: Int): Int =
    memoryIds(params, layout(params, BigInt(1) << 40, blockBytes))

  /** Identifiers on the memory side. */
  def memoryIds(params: ProtectionParams, layout: MetadataLayout): Int =
    params.reads + params.writes + params.counters.memoryIds(
      layout,
      params.integrity
    ) + params.integrity.memoryIds(layout)
}
