package hauberk.memory

import hauberk.memory.common.{Bank, KeySlot, MetadataArray, MetadataCacheParams}
import hauberk.memory.counter.{NoCounters, TimestampUpdate, Timestamps}
import hauberk.memory.integrity._

/** A scheme as the adversary's bench (`sims/attack-engine`) meets it: a preset with small caches, so that metadata travel often, on a small bank,
  * so that a reset costs little. What it claims follows from its parameters.
  */
case class AttackedScheme(name: String, params: ProtectionParams, localBytes: BigInt) {
  val protection: Protection = Protection(params, Bank(localBytes))
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

  /** What the bench is told: geometry, arrays of metadata and claims. */
  def json: ujson.Obj = ujson.Obj(
    "name" -> name,
    "localBytes" -> localBytes.toInt,
    "dataBytes" -> layout.dataBytes.toInt,
    "clientIds" -> (1 << protection.client.idBits),
    "keyWords" -> protection.cipher.keyBits / 64,
    "keySlots" -> KeySlot.count,
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

  /** Every scheme under attack: the presets, and a few more. */
  def all: Seq[AttackedScheme] =
    (others ++ ProtectionParams.presets).toSeq.sortBy(_._1).map { case (name, params) =>
      AttackedScheme(name, withTallTree(SmallCaches(params)), bytes(params))
    }

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
