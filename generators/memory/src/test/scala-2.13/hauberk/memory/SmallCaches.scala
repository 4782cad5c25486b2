package hauberk.memory

import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.counter.{SequenceNumberCache, SplitCounters, Timestamps}
import hauberk.memory.integrity._

/** A scheme with caches so small that its metadata keep moving, even over a few hundred blocks, and with a root that leaves room for nodes. */
object SmallCaches {
  val cache: MetadataCacheParams = MetadataCacheParams(lines = 4, ways = 2, mshrs = 2)

  def apply(params: ProtectionParams): ProtectionParams = params.copy(
    counters = params.counters match {
      case g: Timestamps => g.copy(cache = cache)
      case s: SequenceNumberCache => s.copy(bytes = 256, ways = 2, mshrs = 2, writtenLines = 1)
      case s: SplitCounters => s.copy(cache = cache)
      case other => other
    },
    integrity = params.integrity match {
      case m: BlockMac => m.copy(tags = cache)
      case b: BonsaiTree => b.copy(tags = cache, nodes = cache, rootEntries = 4)
      case h: HashTree => h.copy(tags = cache, nodes = cache, rootEntries = 4)
      case l: LogHash => l.copy(versions = cache, tags = cache)
      case NoIntegrity => NoIntegrity
    },
    reads = 6,
    writes = 5
  )
}
