package hauberk.soc

import freechips.rocketchip.subsystem.ExtMem
import hauberk.bus._
import hauberk.memory.llc.LastLevelCacheParams
import hauberk.tilelink.instruction.InstructionDecryptionParams
import hauberk.tilelink.protector.MemoryDescription

/** Description of an elaborated SoC for the tools that load it, run it and check its DRAM; written beside its Verilog.
  *
  * @param cores      number of harts
  * @param memory     DRAM, and how it is protected
  * @param bus        the shared bus between the tiles and the system bus, if there is one
  * @param decryption the instruction decryption unit, if there is one
  * @param lastLevelCache the last-level cache, if there is one
  */
case class SystemDescription(
    cores: Int,
    memory: MemoryDescription,
    bus: Option[BusParams] = None,
    decryption: Option[InstructionDecryptionParams] = None,
    lastLevelCache: Option[LastLevelCacheParams] = None
) {
  import MemoryDescription.number

  def toJson(config: String): ujson.Obj = {
    val common = ujson.Obj("config" -> config, "cores" -> cores)
    val sharedBus = bus.map(bus => "bus" -> busJson(bus)).toSeq
    val instructions = decryption.map(params => "instructionDecryption" -> decryptionJson(params)).toSeq
    val cache = lastLevelCache.map(shape => "lastLevelCache" -> cacheJson(shape)).toSeq
    ujson.Obj.from(common.value ++ memory.toJson.value ++ sharedBus ++ instructions ++ cache)
  }

  private def busJson(bus: BusParams): ujson.Obj = {
    val sharedBus = ujson.Obj(
      "members" -> bus.members,
      "ratio" -> bus.sharedBus.ratio,
      "widthBits" -> bus.sharedBus.widthBits,
      "lineBytes" -> bus.lineBytes,
      "commandBits" -> bus.commandBits,
      "secured" -> bus.security.isDefined
    )
    val security = bus.security.fold(ujson.Obj())(security =>
      ujson.Obj(
        "masks" -> security.masks,
        "interval" -> number(security.interval),
        "window" -> security.window,
        "heartbeat" -> security.heartbeat,
        "timeout" -> security.timeout,
        "aesLatency" -> security.aesLatency,
        "groups" -> security.groups,
        "maskSource" -> (if (security.maskSource == BusMasks.PerSender) "sender" else "chained"),
        "mac" -> (if (security.mac == BusMac.Ghash) "ghash" else "cbc"),
        "authenticateCommands" -> security.authenticateCommands
      )
    )
    val padding = bus.pads.fold(ujson.Obj())(pads =>
      ujson.Obj(
        "pads" -> ujson.Obj(
          "coherence" -> (if (pads.coherence == PadCoherence.WriteUpdate) "update" else "invalidate"),
          "countBits" -> pads.countBits,
          "aesLatency" -> pads.aesLatency
        )
      )
    )
    ujson.Obj.from(sharedBus.value ++ security.value ++ padding.value)
  }

  private def decryptionJson(params: InstructionDecryptionParams): ujson.Obj = ujson.Obj(
    "mode" -> params.mode.name,
    "pages" -> params.pages,
    "keySlots" -> params.keySlots,
    "address" -> number(params.address)
  )

  private def cacheJson(shape: LastLevelCacheParams): ujson.Obj =
    ujson.Obj("bytes" -> number(shape.bytes), "ways" -> shape.ways, "mshrs" -> shape.mshrs)
}

/** Reads the description off an elaborated SoC. */
object SystemDescription {
  def apply(system: RocketSystem): SystemDescription = {
    val memory = MemoryDescription(system.p(ExtMem).get.master, system.protector, system.mbus.blockBytes)
    val bus = system.secureBus.map(_.busParams)
    SystemDescription(
      cores = system.tiles.size,
      memory = memory.copy(padded = bus.exists(_.pads.nonEmpty)),
      bus = bus,
      decryption = system.instructionDecryption.map(_.params),
      lastLevelCache = system.lastLevelCache.map(_.shape)
    )
  }
}
