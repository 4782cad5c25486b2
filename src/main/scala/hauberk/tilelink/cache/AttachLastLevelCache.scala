package hauberk.tilelink.cache

import freechips.rocketchip.subsystem.CacheBlockBytes
import freechips.rocketchip.tilelink.{TLFragmenter, TLNode}
import hauberk.compat.{CoherenceKind, CoherencePoint}
import hauberk.memory.common.Refusal
import hauberk.memory.llc.LastLevelCacheParams
import hauberk.tilelink.protector.AttachMemoryProtector.dram
import hauberk.tilelink.protector.{MemoryProtectionKey, ProtectedRegion}
import org.chipsalliance.cde.config.{Field, Parameters, View}
import org.chipsalliance.diplomacy.lazymodule._

/** The last-level cache of a subsystem, all banks together; none means no hardware. */
case object LastLevelCacheKey extends Field[Option[LastLevelCacheParams]](None)

/** Puts a last-level cache into a subsystem, on the memory side of its coherence manager. */
object AttachLastLevelCache {

  /** Where its registers are. */
  val address: BigInt = LastLevelCacheMap.all.base

  /** Errors in its configuration. */
  def complaints(implicit p: View): Seq[String] =
    CoherencePoint.unattached(CoherenceKind.LastLevelCache) ++ p(LastLevelCacheKey).toSeq.flatMap { shape =>
      Refusal.broken(
        (CoherencePoint.banks > 0) ->
          "there is no coherence manager to put a last-level cache behind: configure at least one bank (WithNBanks)",
        !CoherencePoint.hasBypass ->
          "DRAM has an incoherent alias, a way around the last-level cache: leave out WithExtMemSbusBypass, and what replicates the memory bus",
        dram.isDefined ->
          "there is no external memory for the last-level cache: configure a memory port, with at least one channel",
        dram.forall(shape.bytes <= _.size) ->
          s"a last-level cache of ${shape.bytes} bytes is larger than DRAM: make it smaller",
        // Behind the metadata there would be more to cache: two ranges
        dram.forall(port =>
          p(MemoryProtectionKey).flatMap(_.region).forall { case (base, bytes) =>
            base + bytes == port.base + port.size
          }
        ) ->
          "a last-level cache needs the protected region to end where DRAM ends: move the region, or leave the cache out"
      ) ++ shape.perBank(math.max(1, CoherencePoint.banks)).violations(p(CacheBlockBytes))
    }

  /** Makes the cache, ties its registers to the subsystem, and returns its node. */
  def apply(context: CoherencePoint.Context): TLNode = {
    implicit val p: Parameters = context.p
    val port = dram.get
    val region = ProtectedRegion(port.base, port.size, p(CacheBlockBytes))
    val controlBus = CoherencePoint.controlBus(context)
    val last_level_cache =
      LazyModule(new TLLastLevelCache(p(LastLevelCacheKey).get, region, address, controlBus.beatBytes))
    controlBus.coupleTo("last_level_cache") { last_level_cache.controlNode := TLFragmenter(controlBus) := _ }
    last_level_cache.node
  }

  /** The last-level cache of a subsystem, if it has one. */
  def in(context: CoherencePoint.Context): Option[TLLastLevelCache] =
    CoherencePoint.interposed(context).collectFirst { case cache: TLLastLevelCache => cache }
}
