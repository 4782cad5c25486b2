package hauberk.tilelink.protector

import freechips.rocketchip.subsystem.MasterPortParams
import hauberk.memory.Protection
import hauberk.memory.common.MetadataArray
import hauberk.memory.layout.{BankAddresses, MetadataShape, TreeLeaves}

/** Description of DRAM for the tools that make images of it, and check it. Every elaboration with a memory protector leaves it as the artefact
  * `hauberk.json`.
  *
  * @param dramBase   first address of DRAM
  * @param dramBytes  size of DRAM
  * @param blockBytes size of a block
  * @param banks      range and scheme of each protection engine, in the order of the engines' numbers; none without a protector
  * @param regions    parts of it in plaintext or of another context
  * @param padded     tiles encrypt for memory themselves: they count as one engine over all of it
  * @param loader     address of the registers of a protector to which a loader writes what a package brings
  */
case class MemoryDescription(
    dramBase: BigInt,
    dramBytes: BigInt,
    blockBytes: Int,
    banks: Seq[ProtectedBank],
    regions: Seq[MemoryRegion] = Nil,
    padded: Boolean = false,
    loader: Option[BigInt] = None
) {
  import MemoryDescription.number

  /** The part of DRAM that software sees; the rest holds the protector's metadata. */
  val dataBytes: BigInt = if (banks.isEmpty) dramBytes else banks.map(_.protection.layout.dataBytes).sum
  val isProtected: Boolean = banks.nonEmpty || padded
  val engines: Int = if (padded) 1 else banks.size

  def toJson: ujson.Obj = {
    val common = ujson.Obj(
      "dramBase" -> number(dramBase),
      "dramBytes" -> number(dramBytes),
      "dataBytes" -> number(dataBytes),
      "blockBytes" -> blockBytes,
      "protected" -> isProtected,
      "engines" -> engines
    )
    val scheme =
      if (padded) tilePads
      else banks.headOption.fold(ujson.Obj("mode" -> "none"))(bank => protection(bank.protection))
    val wholeDram = if (padded) Seq(bankJson(BankAddresses(dramBase, dramBytes, Nil, 0))) else Nil
    val arrays = banks.headOption.toSeq.flatMap(bank => MetadataArray.of(bank.protection))
    val lists =
      Seq(
        "banks" -> ujson.Arr.from(wholeDram ++ banks.map(bank => bankJson(bank.map.addresses))),
        "arrays" -> ujson.Arr.from(arrays.map(arrayJson))
      ) ++
        (if (regions.isEmpty) Nil else Seq("regions" -> ujson.Arr.from(regions.map(regionJson))))
    val registers = loader.map(address => "loader" -> loaderJson(address)).toSeq
    ujson.Obj.from(common.value ++ scheme.value ++ lists ++ registers)
  }

  private def protection(protection: Protection): ujson.Obj = {
    val params = protection.params
    ujson.Obj(
      "mode" -> params.mode.name,
      "counters" -> params.counters.name,
      "counterFormat" -> params.counters.lineFormat,
      "integrity" -> params.integrity.name,
      "overPlaintext" -> params.integrity.overPlaintext,
      "verification" -> params.verification.name,
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

  /** What a loader writes, and where: two words of 32 bits each, the lower first, and at last the command. */
  private def loaderJson(address: BigInt): ujson.Obj = {
    val unwrap = ProtectorMap.commands.collectFirst { case (field, _) if field.name == "UNWRAP" => field }.get
    ujson.Obj(
      "imageBlocks" -> number(address + ProtectorMap.imageBlocks.offset),
      "wrappedKey" -> ProtectorMap.wrappedKey.map(word => number(address + word.offset)),
      "command" -> number(address + ProtectorMap.command.offset),
      "unwrap" -> number(unwrap.holding(1))
    )
  }
}

/** Reads the description off a subsystem. */
object MemoryDescription {

  /** DRAM, and the protector before it if there is one.
    *
    * @param blockBytes of a cache, where there is no protector
    */
  def apply(dram: MasterPortParams, protector: Option[TLMemoryProtector], blockBytes: Int): MemoryDescription = {
    val banks = protector.toSeq.flatMap(_.banks)
    MemoryDescription(
      dramBase = dram.base,
      dramBytes = dram.size,
      blockBytes = banks.headOption.fold(blockBytes)(_.protection.bank.blockBytes),
      banks = banks,
      regions = protector.toSeq.flatMap(_.regions),
      loader = protector.flatMap(_.loader)
    )
  }

  private[hauberk] def number(value: BigInt): ujson.Num = ujson.Num(value.toLong.toDouble)
}
