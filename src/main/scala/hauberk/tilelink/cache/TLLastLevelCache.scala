package hauberk.tilelink.cache

import chisel3._
import chisel3.util._
import freechips.rocketchip.diplomacy.IdRange
import freechips.rocketchip.resources.SimpleDevice
import freechips.rocketchip.tilelink._
import hauberk.compat._
import hauberk.memory.llc.{LastLevelCache, LastLevelCacheParams, LastLevelStatistics}
import hauberk.memory.port.MemoryPortParams
import hauberk.tilelink.common.{QuietRegisters, RegisterMap, StatisticsObserver}
import hauberk.tilelink.protector.{BankMap, BlockEdge, Bypass, ProtectedRegion}
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Caches DRAM on the memory side of the coherence manager, in front of a memory protector if there is one: one [[LastLevelCache]] to each edge
  * (bank). It holds plaintext, and stands inside the trusted boundary.
  *
  * What cannot be executed is no memory to cache, such as a protector's metadata: accesses to it pass around the cache unchanged, as do those to
  * memory outside the region. Requests of different source may be answered in any order.
  *
  * Software flushes it before the protector, and after the caches above it: registers as in [[LastLevelCacheMap]].
  *
  * @param shape     size of all banks together
  * @param dram      what may be cached
  * @param address   of the control registers
  * @param beatBytes width in bytes of the bus of the control registers
  */
class TLLastLevelCache(val shape: LastLevelCacheParams, dram: ProtectedRegion, address: BigInt, beatBytes: Int)(implicit
    p: Parameters
) extends LazyModule
    with QuietRegisters {

  /** Where identifiers of requests that pass around start: after the cache's own. */
  private val aroundStart: Int = {
    val own = shape.mshrs + LastLevelCacheParams.writebacks
    (own + Bypass.ids - 1) / Bypass.ids * Bypass.ids
  }

  private def isCached(manager: TLManagerParameters): Boolean =
    manager.executable && dram.takesBlocks(manager) && manager.address.exists(dram.inside(_).nonEmpty)

  val node = TLAdapterNode(
    clientFn = { port =>
      val sources = IdRange(0, aroundStart + Bypass.ids)
      port.v1copy(clients = Seq(TLMasterParameters.v1(name = "last-level-cache", sourceId = sources)))
    },
    managerFn = { port =>
      val managers = port.managers.map { manager =>
        if (isCached(manager)) dram.inBlocks(manager) else manager.v1copy(fifoId = None)
      }
      port.v1copy(managers = managers, endSinkId = 0, minLatency = 0)
    }
  )
  val device = new SimpleDevice("last-level-cache", Seq("hauberk,last-level-cache"))
  val controlNode = TLRegisterNode(RegisterMap.block(address), device, beatBytes = beatBytes)

  lazy val module = new Impl

  /** A cache for each bank, and one register map for all. */
  class Impl extends LazyModuleImp(this) {
    val statistics = IO(Output(new LastLevelStatistics))

    private val edges = node.in.zip(node.out)
    private val maps = node.edges.out.map { edge =>
      BankMap(edge.manager.managers.filter(isCached).flatMap(_.address).flatMap(dram.inside))
    }
    private val region = dram.copy(bytes = maps.map(_.localBytes).sum)
    private val perBank = shape.perBank(maps.size)
    private val caches = maps.zip(edges).map { case (map, ((_, edgeIn), (_, edgeOut))) =>
      val port = MemoryPortParams(
        addressBits = log2Ceil(map.localBytes),
        beatBytes = edgeOut.manager.beatBytes,
        blockBytes = dram.blockBytes,
        idBits = math.max(1, log2Ceil(edgeIn.client.endSourceId))
      )
      Module(new LastLevelCache(port, perBank))
    }
    for (((cache, map), ((in, edgeIn), (out, edgeOut))) <- caches.zip(maps).zip(edges))
      BlockEdge(cache.io.client, cache.io.memory, map, region, aroundStart)(in, edgeIn, out, edgeOut)

    private val flush = Wire(Valid(UInt(64.W)))
    private val lost = RegInit(false.B)
    when(caches.map(_.io.events.lost).reduce(_ || _)) { lost := true.B }
    caches.foreach(_.io.flush := flush.valid && LastLevelCacheMap.flush.of(flush.bits) === 1.U)
    private def count(events: Seq[Bool]): UInt = {
      val counter = RegInit(0.U(64.W))
      counter := counter + PopCount(events)
      counter
    }
    statistics.hits := count(caches.map(_.io.events.hit))
    statistics.misses := count(caches.map(_.io.events.miss))
    statistics.writebacks := count(caches.map(_.io.events.writeback))
    StatisticsObserver.show("lastLevelCache", statistics)

    private val flushing = caches.map(_.io.flushing).reduce(_ || _)
    import LastLevelCacheMap._
    controlNode.regmap(
      Seq(
        id.readConstant,
        geometry.readFields(
          banks -> maps.size,
          ways -> shape.ways,
          setBits -> log2Ceil(perBank.bytes / (BigInt(shape.ways) * dram.blockBytes)),
          lineBits -> log2Ceil(dram.blockBytes)
        ),
        command.write(flush),
        status.read(Cat(lost, flushing))
      ) ++ counters.map { case (counter, register) => register.read(counter.of(statistics)) }: _*
    )
  }
}
