package hauberk.config

import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.counter._
import hauberk.memory.integrity._
import hauberk.memory.ProtectionParams
import hauberk.tilelink.protector.{MemoryProtectionKey, MemoryRegion}
import org.chipsalliance.cde.config.Config

/** Changes the scheme of the memory protector of the fragments to its right; nothing where there is none.
  *
  * @param change the new scheme, of the old one
  */
class WithProtection(change: ProtectionParams => ProtectionParams)
    extends Config((site, _, up) => {
      case MemoryProtectionKey =>
        up(MemoryProtectionKey, site).map(protector => protector.copy(protection = change(protector.protection)))
    })

/** An AES of so many cycles in all; the papers assume 40 to 102. */
class WithCipherLatency(cycles: Int)
    extends WithProtection(params => params.copy(cipher = params.cipher.withLatency(cycles)))

/** So many reads and writes in flight in each engine; others wait. More than what is above has under way are area without use.
  *
  * @param reads  reads in flight, at least 1, or 2 where memory is re-encrypted
  * @param writes writes in flight, likewise
  */
class WithTransactions(reads: Int, writes: Int)
    extends WithProtection(params => params.copy(reads = reads, writes = writes))

/** On-chip storage of so many bytes for counters, in lines of a block of 64 bytes.
  *
  * @param bytes size of the time stamp cache or whatever the scheme has in its place
  * @param ways  associativity; 0 for a fully associative cache
  */
class WithCounterCache(bytes: Int, ways: Int)
    extends WithProtection(params => params.copy(counters = CacheSizes.counters(params.counters, bytes, ways)))

/** On-chip storage of so many bytes for tags, or for the stamps of a log hash; parameters as those of [[WithCounterCache]]. */
class WithTagCache(bytes: Int, ways: Int)
    extends WithProtection(params => params.copy(integrity = CacheSizes.tags(params.integrity, bytes, ways)))

/** On-chip storage of so many bytes for each level of tree nodes; parameters as those of [[WithCounterCache]]. */
class WithNodeCache(bytes: Int, ways: Int)
    extends WithProtection(params => params.copy(integrity = CacheSizes.nodes(params.integrity, bytes, ways)))

/** Time stamps of so many bits, 2 to 64: fewer let TIMER reach its end sooner, and take less of memory if they fill fewer whole bytes. */
class WithTimestampBits(bits: Int)
    extends WithProtection(params =>
      params.copy(counters = Timestamps.timer("WithTimestampBits", params).copy(timestampBits = bits))
    )

/** Re-encrypts all memory under a new key, in the background, when so many time stamps are left (AEGIS section 6.3).
  *
  * @param reserve time stamps that the program may use up until it is done; writes beyond them wait
  */
class WithRekeying(reserve: Long) extends WithProtection(Timestamps.rekeying(_, reserve))

/** A time stamp of its own for every block, which counts the block's writes; and the counter tree that this needs, if the scheme has none
  * (AEGIS section 6.3). What is verified in the background, or before it is used, stays so.
  */
class WithPerAddressTimestamps
    extends WithProtection(Timestamps.guarded("WithPerAddressTimestamps", _, TimestampUpdate.PerAddress))

/** The same, but a write whose time stamp is not on the chip takes one above all that were given, and need not know its own. */
class WithMixedTimestamps extends WithProtection(Timestamps.guarded("WithMixedTimestamps", _, TimestampUpdate.Mixed))

/** Gives the memory protector of the fragments to its right one more region; nothing where there is none. */
class WithMemoryRegion(region: MemoryRegion)
    extends Config((site, _, up) => {
      case MemoryProtectionKey =>
        up(MemoryProtectionKey, site).map(protector => protector.copy(regions = region +: protector.regions))
    })

/** Leaves a part of the protected memory in plaintext: for what DRAM may show, and may change (Yang section 4.3). Several are allowed.
  *
  * @param base  bus address of its first byte
  * @param bytes its size; both ends are multiples of a granule of 4 KiB in every bank
  */
class WithPlaintextRegion(base: Long, bytes: Long) extends WithMemoryRegion(MemoryRegion.plaintext(base, bytes))

/** Gives a part of the protected memory to a second context, which has a dynamic key of its own. All such parts are of that one context.
  * Parameters as those of [[WithPlaintextRegion]].
  */
class WithContextRegion(base: Long, bytes: Long) extends WithMemoryRegion(MemoryRegion.ofContext(base, bytes))

/** Changes the sizes of a scheme's caches, whichever it has. */
private[config] object CacheSizes {
  private val lineBytes = 64

  def resize(cache: MetadataCacheParams, bytes: Int, ways: Int): MetadataCacheParams = {
    require(bytes > 0 && bytes % lineBytes == 0, s"a cache of $bytes bytes does not hold whole lines of $lineBytes")
    val lines = bytes / lineBytes
    cache.copy(lines = lines, ways = if (ways == 0) lines else ways, misses = math.min(cache.misses, lines))
  }

  def counters(store: CounterStoreParams, bytes: Int, ways: Int): CounterStoreParams = store match {
    case timer: GlobalTimer => timer.copy(cache = resize(timer.cache, bytes, ways))
    case split: SplitCounters => split.copy(cache = resize(split.cache, bytes, ways))
    case numbers: SequenceNumberCache =>
      numbers.copy(bytes = bytes, ways = if (ways == 0) bytes / lineBytes else ways)
    case other =>
      hasNone("WithCounterCache", other.name)
      other
  }

  def tags(integrity: Integrity, bytes: Int, ways: Int): Integrity = integrity match {
    case mac: BlockMac => mac.copy(tags = resize(mac.tags, bytes, ways))
    case tree: BonsaiTree => tree.copy(tags = resize(tree.tags, bytes, ways))
    case tree: HashTree => tree.copy(tags = resize(tree.tags, bytes, ways))
    case log: LogHash => log.copy(stamps = resize(log.stamps, bytes, ways))
    case NoIntegrity =>
      hasNone("WithTagCache", "a scheme without integrity")
      integrity
  }

  def nodes(integrity: Integrity, bytes: Int, ways: Int): Integrity = integrity match {
    case tree: BonsaiTree => tree.copy(nodes = resize(tree.nodes, bytes, ways))
    case tree: HashTree => tree.copy(nodes = resize(tree.nodes, bytes, ways))
    case other =>
      hasNone("WithNodeCache", s"a scheme whose integrity is '${other.name}'")
      other
  }

  private def hasNone(fragment: String, scheme: String): Unit =
    require(requirement = false, s"$fragment sets the size of a cache that $scheme has not: leave $fragment out")
}

/** Changes the time stamps of a scheme. */
private[config] object Timestamps {
  def timer(fragment: String, params: ProtectionParams): GlobalTimer = params.counters match {
    case timer: GlobalTimer => timer
    case other => hasNone(fragment, other)
  }

  def rekeying(params: ProtectionParams, reserve: Long): ProtectionParams = {
    val timer = Timestamps.timer("WithRekeying", params)
    val follows = params.integrity match {
      case NoIntegrity | _: HashTree => true
      case _ => false
    }
    require(
      follows,
      s"WithRekeying is for a scheme without integrity or with a hash tree, and this one's integrity is " +
        s"'${params.integrity.name}': leave WithRekeying out"
    )
    params.copy(counters = timer.copy(reserve = Some(reserve)))
  }

  /** Time stamps that come from memory, and a counter tree over them. */
  def guarded(fragment: String, params: ProtectionParams, update: TimestampUpdate): ProtectionParams = {
    val timer = params.counters match {
      case timer: GlobalTimer => timer
      case split: SplitCounters => GlobalTimer(cache = split.cache)
      case other => hasNone(fragment, other)
    }
    require(
      timer.reserve.isEmpty,
      s"$fragment brings a counter tree, which is under the key that WithRekeying would replace: leave one of the two out"
    )
    val tree = params.integrity match {
      case NoIntegrity => BonsaiTree()
      case mac: BlockMac => BonsaiTree(tags = mac.tags)
      case tree: BonsaiTree => tree
      case other =>
        throw new IllegalArgumentException(
          s"$fragment brings a counter tree, and this scheme's integrity is '${other.name}': leave $fragment out"
        )
    }
    // The default fills its place in a line; a width that was chosen is refused by the timer if it does not leave room for a MAC
    val bits =
      if (timer.timestampBits == GlobalTimer().timestampBits) GlobalTimer.bitsBesideMac else timer.timestampBits
    params.copy(counters = timer.copy(timestampBits = bits, update = update), integrity = tree)
  }

  private def hasNone(fragment: String, counters: CounterStoreParams): Nothing =
    throw new IllegalArgumentException(
      s"$fragment is about time stamps, and this scheme has ${counters.name}: leave $fragment out"
    )
}
