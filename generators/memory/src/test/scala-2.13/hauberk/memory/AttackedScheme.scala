package hauberk.memory

import hauberk.crypto.SBoxStyle
import hauberk.memory.common.{Bank, KeySlot, MetadataArray, MetadataCacheParams}
import hauberk.memory.counter.{CompilerCounters, NoCounters, TimestampUpdate, Timestamps}
import hauberk.memory.integrity._

/** A scheme as the adversary's bench (`sims/attack-engine`) meets it: a preset with small caches, so that metadata travel often, on a small bank,
  * so that a reset costs little. What it claims follows from its parameters.
  */
case class AttackedScheme(name: String, params: ProtectionParams, localBytes: BigInt, blockBytes: Int = 64) {
  val protection: Protection = Protection(params, Bank(localBytes, blockBytes = blockBytes))
  private val layout = protection.layout
  private val integrity = params.integrity

  /** The tags of a log hash are the package's, and here is none. */
  private val arrays =
    MetadataArray.of(protection).filterNot(a => a.kind == "tag" && integrity.isInstanceOf[LogHash])

  private def array(a: MetadataArray) = ujson.Obj(
    "kind" -> a.kind,
    "level" -> a.level,
    "base" -> a.base.toInt,
    "lines" -> a.lines.toInt,
    "blocksPerLine" -> a.blocksPerLine.toInt,
    "entryBits" -> a.entryBits
  )

  private def detection = integrity match {
    case NoIntegrity => "none"
    case _: LogHash => "check"
    case _ => if (params.verification.blocks) "answer" else "later"
  }

  /** Where counters are pairs: what programs can name, and where counters end. */
  private def pairs = params.counters match {
    case c: CompilerCounters =>
      Seq(
        "pairs" -> ujson.Obj(
          "registers" -> c.registers,
          "ids" -> c.ids,
          "lastGlobal" -> ((1L << c.globalBits) - 1).toDouble,
          "lastValue" -> ((1 << c.valueBits) - 1)
        )
      )
    case _ => Nil
  }

  /** What the bench is told: geometry, arrays of metadata and claims. */
  def json: ujson.Obj = ujson.Obj.from(description ++ pairs)

  private def description: Seq[(String, ujson.Value)] = Seq(
    "name" -> name,
    "localBytes" -> localBytes.toInt,
    "dataBytes" -> layout.dataBytes.toInt,
    "blockBytes" -> blockBytes,
    "clientIds" -> (1 << protection.client.idBits),
    "keyWords" -> protection.cipher.keyBits / 64,
    "keySlots" -> KeySlot.count,
    "verdictTimeout" -> (if (protection.speculates) protection.verdictTimeout else 0),
    "arrays" -> ujson.Arr.from(arrays.map(array)),
    "claims" -> ujson.Obj(
      "integrity" -> integrity.detectsTampering,
      "freshness" -> integrity.detectsReplay,
      "freshCiphertext" -> params.counters.isFresh,
      "newKeyAtReset" -> (params.counters != NoCounters),
      "detection" -> detection
    )
  )
}

object AttackedScheme {

  /** Compositions that are no presets: a hash tree of which nothing leaves before it is verified; a TIMER of which so little is used that memory is
    * re-encrypted again and again, without integrity and under a hash tree; timestamps that trust memory as far as a counter tree lets them.
    */
  private val others: Map[String, ProtectionParams] = {
    import ProtectionParams.{aegisHashTree, aegisOtp}
    Map(
      "AegisHashTreeBlocking" -> aegisHashTree.copy(verification = Verification.Blocking),
      // 16 bits as memory has them: none that could be flipped without meaning anything
      "AegisHashTreeRekey" ->
        aegisHashTree.copy(counters = Timestamps(timestampBits = 16, reserve = Some(BigInt(64400)))),
      "AegisOtpRekey" -> aegisOtp.copy(counters = Timestamps(timestampBits = 12, reserve = Some(BigInt(3000)))),
      "AegisMixed" ->
        aegisOtp.copy(
          counters = Timestamps(timestampBits = 28, update = TimestampUpdate.Mixed),
          integrity = BonsaiTree()
        )
    )
  }

  /** Counters that programs steer: words without a data cache, with the embedded core's registers; lines of 32 bytes; counters so small that registers and
    * global counter come to their end; and the global counter alone.
    */
  private val steered: Seq[AttackedScheme] = {
    val preset = ProtectionParams.compilerCounters
    def scheme(name: String, counters: CompilerCounters, localBytes: Int, blockBytes: Int) =
      AttackedScheme(name, preset.copy(counters = counters), localBytes, blockBytes)
    Seq(
      scheme("SteeredWords", CompilerCounters(ahead = true), 1 << 14, 8),
      scheme("SteeredLines", CompilerCounters(registers = 16), 1 << 15, 32),
      scheme(
        "SteeredEnds",
        CompilerCounters(
          registers = 4,
          ids = 24,
          filter = 4,
          lastPairs = 16,
          ahead = true,
          globalBits = 11,
          valueBits = 4
        ),
        1 << 14,
        16
      ),
      scheme("GlobalCounter", CompilerCounters(registers = 0), 1 << 14, 8)
    )
  }

  /** Every scheme under attack: the presets, and a few more. */
  def all: Seq[AttackedScheme] = {
    val blocks = (others ++ ProtectionParams.presets).toSeq.map { case (name, params) =>
      AttackedScheme(name, withTallTree(SmallCaches(params)), bytes(params))
    }
    (blocks ++ steered).map(scheme => scheme.copy(params = withTables(scheme.params))).sortBy(_.name)
  }

  /** The S-box in the style that Verilator evaluates faster, by half; `SBoxSpec` tries both for every byte. */
  private def withTables(params: ProtectionParams): ProtectionParams =
    params.copy(cipher = params.cipher.copy(sBox = SBoxStyle.Table))

  /** Two levels of nodes below the root, with room for one of each on chip, so that an attacker meets them all. */
  private def withTallTree(params: ProtectionParams): ProtectionParams = {
    val one = MetadataCacheParams(lines = 1, ways = 1, mshrs = 1)
    params.integrity match {
      case tree: BonsaiTree => params.copy(integrity = tree.copy(nodes = one, rootEntries = 2))
      case tree: HashTree => params.copy(integrity = tree.copy(nodes = one, rootEntries = 2))
      case _ => params
    }
  }

  /** A check of the log reads the whole bank; a counter tree has two levels from some hundred lines of counters on. */
  private def bytes(params: ProtectionParams): BigInt = params.integrity match {
    case _: LogHash => 1 << 13
    case _: BonsaiTree => BigInt(1 << 13) * params.counters.countersPerLine(64)
    case _ => 1 << 16
  }
}
