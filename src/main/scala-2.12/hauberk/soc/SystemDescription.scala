package hauberk.soc

import freechips.rocketchip.subsystem.ExtMem
import hauberk.bus._
import hauberk.memory.layout.{BankAddresses, MetadataShape, TreeLeaves}
import hauberk.memory.common.MetadataArray
import hauberk.memory.llc.LastLevelCacheParams
import hauberk.memory.Protection
import hauberk.tilelink.protector.{MemoryRegion, ProtectedBank}
import hauberk.tilelink.instruction.InstructionDecryptionParams

/** Description of an elaborated SoC for the tools that load it, run it and check its DRAM; written beside its Verilog.
  *
  * @param cores      number of harts
  * @param dramBase   first address of DRAM
  * @param dramBytes  size of DRAM
  * @param blockBytes size of a block
  * @param banks    range and scheme of each protection engine, in the order of the engines' numbers; none without a protector
  * @param regions    parts of it in plaintext or of another context
  * @param bus        the shared bus between the tiles and the system bus, if there is one
  * @param decryption the instruction decryption unit, if there is one
  * @param lastLevelCache the last-level cache, if there is one
  */
case class SystemDescription(
    cores: Int,
    dramBase: BigInt,
    dramBytes: BigInt,
    blockBytes: Int,
    banks: Seq[ProtectedBank],
    regions: Seq[MemoryRegion] = Nil,
    bus: Option[BusParams] = None,
    decryption: Option[InstructionDecryptionParams] = None,
    lastLevelCache: Option[LastLevelCacheParams] = None
) {

  /** The part of DRAM that software sees; the rest holds the protector's metadata. */
  val dataBytes: BigInt = if (banks.isEmpty) dramBytes else banks.map(_.protection.layout.dataBytes).sum

  /** Tiles that encrypt for memory themselves count as one engine over all of it. */
  private val pads: Option[PadParams] = bus.flatMap(_.pads)
  val isProtected: Boolean = banks.nonEmpty || pads.nonEmpty
  val engines: Int = if (pads.nonEmpty) 1 else banks.size

  def toJson(config: String): ujson.Obj = {
    val common = ujson.Obj(
      "config" -> config,
      "cores" -> cores,
      "dramBase" -> number(dramBase),
      "dramBytes" -> number(dramBytes),
      "dataBytes" -> number(dataBytes),
      "blockBytes" -> blockBytes,
      "protected" -> isProtected,
      "engines" -> engines
    )
    val scheme = pads.map(_ => tilePads)
      .orElse(banks.headOption.map(bank => protection(bank.protection)))
      .getOrElse(ujson.Obj("mode" -> "none"))
    val wholeDram = pads.map(_ => bankJson(BankAddresses(dramBase, dramBytes, Nil, 0)))
    val arrays = banks.headOption.toSeq.flatMap(bank => MetadataArray.of(bank.protection))
    val lists =
      Seq(
        "banks" -> ujson.Arr.from(wholeDram ++ banks.map(bank => bankJson(bank.map.addresses))),
        "arrays" -> ujson.Arr.from(arrays.map(arrayJson))
      ) ++
        (if (regions.isEmpty) Nil else Seq("regions" -> ujson.Arr.from(regions.map(regionJson))))
    val sharedBus = bus.map(bus => "bus" -> busJson(bus)).toSeq
    val instructions = decryption.map(params => "instructionDecryption" -> decryptionJson(params)).toSeq
    val cache = lastLevelCache.map(shape => "lastLevelCache" -> cacheJson(shape)).toSeq
    ujson.Obj.from(common.value ++ scheme.value ++ lists ++ sharedBus ++ instructions ++ cache)
  }

  private def protection(protection: Protection): ujson.Obj = {
    val params = protection.params
    ujson.Obj(
      "mode" -> params.mode.name,
      "counters" -> params.counters.name,
      "counterFormat" -> params.counters.lineFormat,
      "integrity" -> params.integrity.name,
      "overPlaintext" -> params.integrity.overPlaintext,
      "verification" -> (if (params.verification.blocks) "blocking" else "speculative"),
      "claims" -> params.claims,
      "metadata" -> metadata(protection.layout.shape)
    )
  }

  private def metadata(shape: MetadataShape): ujson.Obj = ujson.Obj(
    "countersPerLine" -> shape.countersPerLine,
    "tagsPerLine" -> shape.tagsPerLine,
    "versionsPerLine" -> shape.versionsPerLine,
    "tree" -> (shape.leaves match {
      case TreeLeaves.None => "none"
      case TreeLeaves.CounterLines => "counters"
      case TreeLeaves.TagLines => "tags"
    }),
    "arity" -> shape.arity,
    "rootEntries" -> shape.rootEntries
  )

  /** Pads in the format of one-time pads, whose counters are in the tiles and on the shared bus. */
  private def tilePads: ujson.Obj = ujson.Obj(
    "mode" -> "one-time pad",
    "counters" -> "tile pads",
    "counterFormat" -> "announced",
    "integrity" -> "none",
    "overPlaintext" -> false,
    "verification" -> "blocking",
    "claims" -> Seq("confidentiality"),
    "metadata" -> metadata(MetadataShape())
  )

  private def bankJson(addresses: BankAddresses): ujson.Obj =
    ujson.Obj(
      "base" -> number(addresses.base),
      "bytes" -> number(addresses.localBytes),
      "selectBits" -> addresses.selectBits,
      "select" -> number(addresses.select)
    )

  private def arrayJson(array: MetadataArray): ujson.Obj = ujson.Obj(
    "kind" -> array.kind,
    "level" -> array.level,
    "base" -> number(array.base),
    "lines" -> number(array.lines),
    "blocksPerLine" -> number(array.blocksPerLine),
    "entryBits" -> array.entryBits
  )

  private def regionJson(region: MemoryRegion): ujson.Obj = ujson.Obj(
    "base" -> number(region.base),
    "bytes" -> number(region.bytes),
    "plain" -> region.plain,
    "context" -> region.context
  )

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

  private def number(value: BigInt): ujson.Num = ujson.Num(value.toLong.toDouble)
}

/** Reads the description off an elaborated SoC. */
object SystemDescription {
  def apply(system: RocketSystem): SystemDescription = {
    val memory = system.p(ExtMem).get.master
    val banks = system.protector.toSeq.flatMap(_.banks)
    SystemDescription(
      cores = system.tiles.size,
      dramBase = memory.base,
      dramBytes = memory.size,
      blockBytes = banks.headOption.fold(system.mbus.blockBytes)(_.protection.bank.blockBytes),
      banks = banks,
      regions = system.protector.toSeq.flatMap(_.regions),
      bus = system.secureBus.map(_.busParams),
      decryption = system.instructionDecryption.map(_.params),
      lastLevelCache = system.lastLevelCache.map(_.shape)
    )
  }
}
