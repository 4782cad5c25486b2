package hauberk.memory.counter

import hauberk.memory.layout.MetadataLayout
import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.tree.CounterGuard

/** How a write gets its timestamp (AEGIS section 6.3). */
sealed trait TimestampUpdate

/** The rules for the next timestamp of a block. */
object TimestampUpdate {

  /** TIMER + 1, for any block. TIMER never leaves the chip, so no timestamp is given twice, whatever memory returns. */
  case object Global extends TimestampUpdate

  /** The block's own timestamp + 1: timestamps stay small. They come from memory, which must not be able to roll them back. */
  case object PerAddress extends TimestampUpdate

  /** The block's own + 1 if it is on the chip, else TIMER + 1, where TIMER is the largest timestamp given. */
  case object Mixed extends TimestampUpdate
}

/** The counter store of AEGIS section 6.3: timestamps, of which every write takes a new one, kept beside the data and cached with their
  * neighbours. Timestamp 0 is never given to a write: it means "as the package brought it".
  *
  * With a reserve, all memory is re-encrypted under a new key, in the background, when this number of timestamps is left; if they do not last,
  * writes wait until that is done. Without one, and if no new key comes, the end of the timestamps raises the alarm and halts the engine.
  *
  * @param timestampBits width of a timestamp
  * @param cache         geometry of the timestamp cache
  * @param update        how a write gets its timestamp; other than globally, a line has room for a MAC, and needs one
  * @param reserve       timestamps left when re-encryption begins; none for no re-encryption
  */
case class Timestamps(
    timestampBits: Int = 32,
    cache: MetadataCacheParams = MetadataCacheParams(),
    update: TimestampUpdate = TimestampUpdate.Global,
    reserve: Option[BigInt] = None
) extends CounterStoreParams {
  private val isGlobal = update == TimestampUpdate.Global
  require(
    timestampBits >= 2 && timestampBits <= 64,
    s"timestampBits is $timestampBits: a timestamp has 2 to 64 bits"
  )
  require(
    isGlobal || timestampBits <= Timestamps.bitsBesideMac,
    s"timestampBits is $timestampBits: timestamps that share their line with a MAC, as those of the update $update, have at most " +
      s"${Timestamps.bitsBesideMac} bits"
  )
  require(
    isGlobal || reserve.isEmpty,
    s"timestamps of the update $update need a counter tree, which is under the key that re-encryption would replace: leave reserve out"
  )
  require(
    reserve.forall(r => r >= 1 && r < (BigInt(1) << timestampBits) - 2),
    s"a reserve of ${reserve.mkString} is not some of the ${(BigInt(1) << timestampBits) - 1} timestamps: change reserve"
  )
  val name: String = update match {
    case TimestampUpdate.Global => "a global timer"
    case TimestampUpdate.PerAddress => "a timestamp per address"
    case TimestampUpdate.Mixed => "mixed timestamps"
  }
  val counterBits: Int = timestampBits

  /** Bits between a stored timestamp and the next. */
  val storedBits: Int =
    if (isGlobal) Seq(8, 16, 32, 64).find(_ >= timestampBits).get else Timestamps.bitsBesideMac
  override val lineFormat: String = if (isGlobal) "plain" else "per-address"
  def countersPerLine(blockBytes: Int): Int = if (isGlobal) blockBytes * 8 / storedBits else blockBytes / 4
  val trustsMemory, leavesRoomForMac: Boolean = !isGlobal
  override def resize(bytes: Int, ways: Int): Option[CounterStoreParams] =
    Some(copy(cache = cache.resize(bytes, ways)))
  val reencrypts: Boolean = reserve.nonEmpty
  override def rekeys: Boolean = reencrypts
  def memoryIds(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    cache.ids + CounterGuard.memoryIds(layout, tree)
  override def cipherPorts(layout: MetadataLayout, tree: Option[MetadataCacheParams]): Int =
    CounterGuard.cipherPorts(layout, tree)
  override def fetches: Int = cache.mshrs
}

/** The width of a timestamp where a line carries its own MAC. */
object Timestamps {

  /** Sixteen of them leave 64 bits of a 64-byte line for its MAC. */
  val bitsBesideMac = 28
}
