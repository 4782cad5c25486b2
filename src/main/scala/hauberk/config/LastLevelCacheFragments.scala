package hauberk.config

import hauberk.compat.{CoherenceKind, CoherencePoint, Interposition}
import hauberk.memory.llc.LastLevelCacheParams
import hauberk.tilelink.cache.{AttachLastLevelCache, LastLevelCacheKey}
import org.chipsalliance.cde.config.{Config, Parameters}

/** A last-level cache behind the coherence manager, in front of a memory protector if there is one. Must stand left of every fragment that chooses
  * a coherence manager.
  *
  * @param kib size of all banks together, in KiB
  */
class WithLastLevelCache(kib: Int)
    extends Config(
      Parameters((_, _, _) => { case LastLevelCacheKey => Some(LastLevelCacheParams(BigInt(kib) << 10)) }) ++
        CoherencePoint.interpose(CoherenceKind.LastLevelCache)(context =>
          Interposition(AttachLastLevelCache(context))
        ) ++
        Complain((site, _) => AttachLastLevelCache.complaints(site))
    )

/** Associativity of the last-level cache of the fragments to its right. */
class WithLastLevelWays(ways: Int)
    extends Edit(LastLevelCacheKey, "WithLastLevelWays", "a last-level cache")((shape: LastLevelCacheParams) =>
      shape.copy(ways = ways)
    )

/** Misses in flight of each bank of the last-level cache of the fragments to its right. */
class WithLastLevelMshrs(mshrs: Int)
    extends Edit(LastLevelCacheKey, "WithLastLevelMshrs", "a last-level cache")((shape: LastLevelCacheParams) =>
      shape.copy(mshrs = mshrs)
    )
