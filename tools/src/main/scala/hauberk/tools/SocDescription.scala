package hauberk.tools

import hauberk.memory.layout.{BankAddresses, MetadataLayout, MetadataShape}
import hauberk.memory.reference.ReferenceCounters
import java.nio.file.Path

/** What elaboration says of an SoC's DRAM in `<CONFIG>.json`.
  *
  * @param config       name of the configuration
  * @param dramBase     first address of DRAM
  * @param dramBytes    size of DRAM
  * @param dataBytes    the part of it, from the start, that software sees
  * @param blockBytes   size of a block
  * @param protection   how it is encrypted; none if it is not
  * @param loader       registers to which a loader writes what a package brings; none where a boot ROM does
  */
case class SocDescription(
    config: String,
    dramBase: BigInt,
    dramBytes: BigInt,
    dataBytes: BigInt,
    blockBytes: Int,
    protection: Option[DramProtection],
    loader: Option[LoaderRegisters] = None
) {
  def isProtected: Boolean = protection.isDefined
}

/** Where a loader writes what a package brings, in two words of 32 bits each, the lower first.
  *
  * @param imageBlocks number of blocks of the image in each bank
  * @param wrappedKey  three words of 64 bits
  * @param command     the command register, a single word of 32 bits
  * @param unwrap      the command that ends it
  */
case class LoaderRegisters(imageBlocks: BigInt, wrappedKey: Seq[BigInt], command: BigInt, unwrap: BigInt)

/** How DRAM is protected.
  *
  * @param mode          name of the mode of encryption
  * @param counterFormat how counters lie in memory
  * @param integrity     name of the member of the integrity policy
  * @param overPlaintext tags are of plaintext, not of ciphertext
  * @param shape         what metadata there are
  * @param banks       the bank of each engine, in the order of the engines' numbers
  * @param regions       what is not like the rest; of two that overlap, the first counts
  */
case class DramProtection(
    mode: String,
    counterFormat: CounterFormat,
    integrity: String,
    overPlaintext: Boolean,
    shape: MetadataShape,
    banks: Seq[BankAddresses],
    regions: Seq[DramRegion] = Nil
) {
  private def regionOf(address: BigInt): Option[DramRegion] = regions.find(_.region.contains(address, address + 1))

  /** The block at an address is in DRAM as it is. */
  def isPlain(address: BigInt): Boolean = regionOf(address).exists(_.plain)

  /** Under whose dynamic key what is written there is. */
  def context(address: BigInt): Int = regionOf(address).fold(0)(_.context)

  /** Contexts with a dynamic key of their own. */
  def contexts: Int = (0 +: regions.map(_.context)).max + 1

  def verifies: Boolean = integrity != "none"
  def hasTags: Boolean = shape.tagsPerLine > 0

  /** Every block that was written has a tag; else only those that the package brought have. */
  def tagsWritten: Boolean = hasTags && integrity != "log hash"
}

/** A part of DRAM that is in plaintext, or of another context. */
case class DramRegion(region: Region, plain: Boolean, context: Int)

/** How the counters of blocks lie in a line of memory. */
sealed trait CounterFormat

/** The ways in which an SoC keeps counters in DRAM. */
object CounterFormat {

  /** As [[hauberk.memory.reference.ReferenceCounters]] has it. */
  case class Stored(format: ReferenceCounters) extends CounterFormat

  /** Encrypted: sequence numbers that were spilled. */
  case object Spilled extends CounterFormat

  /** A bit a block says that it was written and is encrypted directly; counters of other blocks are on the chip alone. */
  case object WrittenBits extends CounterFormat

  /** Kept by the tiles, which tell each other over their shared bus: the run's record has what was said there. */
  case object Announced extends CounterFormat

  /** None at all. */
  case object Absent extends CounterFormat

  /** Of one TIMER: the only counters whose memory is ever re-encrypted as a whole. */
  def isTimestamps(format: CounterFormat): Boolean = format match {
    case Stored(ReferenceCounters.Plain(_)) => true
    case _ => false
  }
}

/** Reads the description that elaboration writes, and refuses an old one. */
object SocDescription {
  def read(path: Path): SocDescription = parse(JsonFile.read(path, "description of an SoC"), path.toString)

  private def loader(json: JsonFile): Option[LoaderRegisters] =
    if (!json.has("loader")) None
    else {
      val registers = json.child("loader")
      Some(LoaderRegisters(
        registers.number("imageBlocks"),
        registers.numbers("wrappedKey"),
        registers.number("command"),
        registers.number("unwrap")
      ))
    }

  def parse(json: JsonFile, origin: String): SocDescription = {
    def again(wrong: String) = s"$origin: $wrong: elaborate the configuration again"
    val base = json.number("dramBase")
    val bytes = json.number("dramBytes")
    val block = json.int("blockBytes")
    UserError.unless(
      block >= 8 && BigInt(block).bitCount == 1 && base % block == 0 && bytes > 0 && bytes % block == 0
    )(
      again(s"$bytes bytes of DRAM from ${Hex(base)} do not consist of blocks of $block bytes")
    )
    try {
      val protection =
        if (json.flag("protected")) Some(DramDescription.protection(json, block)) else None
      // Chipyard's description has no name in it, but one of its own
      val config = if (json.has("config")) json.text("config") else origin.split('/').last.stripSuffix(".hauberk.json")
      val soc = SocDescription(config, base, bytes, json.number("dataBytes"), block, protection, loader(json))
      // The data region follows from the banks; a description that says otherwise is of another version of the hardware.
      val left = protection.fold(bytes)(p =>
        p.banks.map(s => MetadataLayout(s.localBytes, block, p.shape).dataBytes).sum
      )
      UserError.unless(left == soc.dataBytes)(
        again(s"dataBytes is ${soc.dataBytes}, but $left bytes of its DRAM are left without the metadata")
      )
      soc
    } catch {
      case refused: IllegalArgumentException =>
        throw new UserError(again(refused.getMessage.stripPrefix("requirement failed: ")))
    }
  }
}
