package hauberk.memory

import hauberk.memory.common.MetadataCacheParams
import hauberk.memory.counter.{SequenceNumberCache, SplitCounters, Timestamps}
import hauberk.memory.integrity._

/** A scheme with caches so small that its metadata keep moving, even over a few hundred blocks, and with a root that leaves room for nodes. */
object SmallCaches {
  private val small = MetadataCacheParams(lines = 4, ways = 2, mshrs = 2)

  def apply(params: ProtectionParams): ProtectionParams = params.copy(
    counters = params.counters match {
      case g: Timestamps => g.copy(cache = small)
      case s: SequenceNumberCache => s.copy(bytes = 256, ways = 2, mshrs = 2, writtenLines = 1)
      case s: SplitCounters => s.copy(cache = small)
      case other => other
    },
    integrity = params.integrity match {
      case m: BlockMac => m.copy(tags = small)
      case b: BonsaiTree => b.copy(tags = small, nodes = small, rootEntries = 4)
      case h: HashTree => h.copy(tags = small, nodes = small, rootEntries = 4)
      case l: LogHash => l.copy(versions = small, tags = small)
      case NoIntegrity => NoIntegrity
    },
    reads = 6,
    writes = 5
  )
}
