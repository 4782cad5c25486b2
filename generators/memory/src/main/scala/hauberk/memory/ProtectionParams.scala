package hauberk.memory

import hauberk.crypto.{AesArchitecture, AesParams}
import hauberk.fault.{FaultChecks, NoFaultChecks}
import hauberk.memory.common.{MetadataCacheParams, Refusal, RegionParams}
import hauberk.memory.mode._
import hauberk.memory.counter._
import hauberk.memory.integrity._

/** User parameters: one member of every policy. Resolved by [[Protection]] into a checked, immutable object.
  *
  * @param mode         how a block becomes ciphertext
  * @param counters     where the counter of a block comes from and is kept
  * @param integrity    detection of tampering with memory
  * @param verification when read data may be used
  * @param cipher       the AES core; its direction and tag width are set by the mode
  * @param reads        reads in flight
  * @param writes       writes in flight
  * @param regions      memory that is left in plaintext, or has a key of its own
  * @param postedWrites a write is acknowledged when its beats are in and its counter is fixed; without, when memory has it. Memory that
  *                     refuses an acknowledged write, and a key that is lost before it is out, halt the engine
  * @param gated        the clock of an idle engine stops ([[GatedProtectionEngine]]); its cipher must be gated, too
  * @param verdictTimeout cycles for which a client may use data, or the engine metadata, whose verdict memory keeps from coming: more raise the alarm. Only of
  *                     schemes that do not verify before use. Even, at least [[ProtectionParams.leastVerdictTimeout]]
  * @param faults       faults inside the chip that the engine notices
  */
case class ProtectionParams(
    mode: Mode = OneTimePad,
    counters: CounterStoreParams = Timestamps(),
    integrity: Integrity = NoIntegrity,
    verification: Verification = Verification.Blocking,
    cipher: AesParams = AesParams(extraLatency = 1),
    reads: Int = 16,
    writes: Int = 32,
    regions: RegionParams = RegionParams(),
    postedWrites: Boolean = false,
    gated: Boolean = false,
    verdictTimeout: Int = ProtectionParams.defaultVerdictTimeout,
    faults: FaultChecks = NoFaultChecks
) {
  Refusal.unless(
    (verdictTimeout >= ProtectionParams.leastVerdictTimeout && verdictTimeout % 2 == 0) ->
      (s"a verdict timeout of $verdictTimeout cycles: choose an even number of at least ${ProtectionParams.leastVerdictTimeout}, or memory that is only slow " +
        "would raise the alarm"),
    (!counters.trustsMemory || integrity.guardsCounters) ->
      (s"${counters.name} derives a counter from what memory holds, and ${integrity.name} integrity does not keep memory from " +
        "rolling it back, which would use a pad twice: use the integrity policy BonsaiTree, or counters from a global timer"),
    (!integrity.guardsCounters || counters.leavesRoomForMac) ->
      (s"${counters.name} fills its lines, and ${integrity.name} integrity needs 64 bits of each for a MAC: use SplitCounters"),
    (integrity == NoIntegrity || counters.isFresh) ->
      (s"${counters.name} gives no block a counter of its own, which ${integrity.name} integrity needs in every tag: use a counter store"),
    (verification == Verification.Blocking || integrity != NoIntegrity) ->
      ("speculative verification has nothing to verify and no alarm to raise: choose an integrity policy, or Verification.Blocking"),
    (!verification.asksOwners || !integrity.takesOldValues) ->
      ("the log hash has no verdict on a read that a page's owner could wait for: use BonsaiTree or HashTree, or Verification.Speculative"),
    (verification != Verification.Blocking || !integrity.takesOldValues) ->
      ("the log hash verifies a sequence of accesses afterwards, and cannot hold back any of them: use Verification.Speculative"),
    (mode.counterless || counters.isFresh) ->
      (s"the mode ${mode.name} needs a fresh counter for every write, and ${counters.name} gives none: choose a counter store"),
    (counters.expectedPads == 0 || (mode == OneTimePad && integrity == NoIntegrity)) ->
      (s"${counters.name} have pads made ahead, which need the mode ${OneTimePad.name} and no integrity: leave the others out, or choose " +
        "another counter store"),
    (!gated || cipher.gated) ->
      "the clock of an engine cannot stop while its cipher's runs: set gated of the cipher as well",
    (regions.entries == 0 || integrity == NoIntegrity) ->
      (s"${integrity.name} integrity would not cover regions that are left in plaintext: use regions without integrity, or no regions"),
    (regions.entries == 0 || !counters.reencrypts) ->
      (s"${counters.name} re-encrypts memory under one key, whatever region it is in: use no regions, or counters that never re-encrypt"),
    (!counters.rekeys || integrity.followsRekeying) ->
      (s"${integrity.name} integrity is under the key that re-encryption would replace: leave reserve out of ${counters.name}")
  )

  /** Promises to a client of the memory. */
  def claims: Seq[String] = Seq("confidentiality") ++
    (if (integrity.detectsTampering) Seq("integrity") else Nil) ++ (if (integrity.detectsReplay) Seq("freshness")
                                                                    else Nil)
}

/** Named points of the parameter space. Caches of counters and of tags have 16 KiB, and ciphers of pads alone half a block a cycle, as many as a bus
  * of eight bytes has data for; `docs/parameters.md` has what other sizes cost. The policies' own defaults are AEGIS's: `Timestamps()` has the
  * 2 KiB of its table 2.
  */
object ProtectionParams {

  /** Half of it is what the slowest memory of the papers takes: 64 transfers of eight beats, at five cycles a beat, stand before what a verdict needs, at
    * 80 cycles to its first beat for each of a counter, a tag and four levels of nodes; and transactions are passed by for 1,024 cycles at most.
    */
  val defaultVerdictTimeout: Int = 8192

  /** Shorter ones do not leave time for the verdict itself. */
  val leastVerdictTimeout: Int = 512
  private val cache = MetadataCacheParams(lines = 256, ways = 8)
  private val timestamps = Timestamps(cache = cache)
  private val padCipher = AesParams(architecture = AesArchitecture.Folded(2), extraLatency = 1)

  /** AEGIS section 6.3: one-time pads from a global timer. */
  val aegisOtp: ProtectionParams = ProtectionParams(counters = timestamps, cipher = padCipher)

  /** Direct encryption, AEGIS section 6.2, the scheme of XOM: CBC within a block, stored initial vector. */
  val xom: ProtectionParams = ProtectionParams(mode = DirectCbc(), counters = timestamps)

  /** AEGIS with the cached hash tree of its section 5. */
  val aegisHashTree: ProtectionParams =
    ProtectionParams(
      counters = timestamps,
      integrity = HashTree(tags = cache),
      verification = Verification.Speculative
    )

  /** AEGIS with the log hash of its section 5. */
  val aegisLogHash: ProtectionParams =
    ProtectionParams(
      counters = timestamps,
      integrity = LogHash(versions = cache),
      verification = Verification.Speculative
    )

  /** Counter mode and a tag for each block: detects changed and moved blocks, not replayed ones. */
  val blockMac: ProtectionParams = ProtectionParams(counters = timestamps, integrity = BlockMac(tags = cache))

  /** One-time pads with a sequence number cache of 64 KB and 32 ways, with replacement (Yang et al., MICRO 2003). */
  val yangSncLru: ProtectionParams = ProtectionParams(counters = SequenceNumberCache(), cipher = padCipher)

  /** The same without replacement: lines that find no room are encrypted directly. */
  val yangSncNoReplacement: ProtectionParams =
    ProtectionParams(mode = PadOrDirect, counters = SequenceNumberCache(replaces = false))

  /** XTS-AES, the mode of commercial processors: no counters, no freshness. */
  val xts: ProtectionParams = ProtectionParams(mode = Xts, counters = NoCounters)

  /** Split counters, block tags and a counter tree: confidential, intact and fresh, the best since the papers. Verified in the background. */
  val bonsaiTree: ProtectionParams =
    ProtectionParams(
      counters = SplitCounters(cache = cache),
      integrity = BonsaiTree(tags = cache),
      verification = Verification.Speculative
    )

  /** The same, and nothing leaves the engine before it is verified. */
  val bonsaiTreeBlocking: ProtectionParams = bonsaiTree.copy(verification = Verification.Blocking)

  /** Counter registers that the program steers (Nagarajan et al.), for cores with a small data cache or none. */
  val compilerCounters: ProtectionParams = ProtectionParams(
    counters = CompilerCounters(),
    cipher = padCipher.withLatency(14),
    reads = 4,
    writes = 8,
    postedWrites = true
  )

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
