package hauberk.tools

import hauberk.memory._
import java.nio.file.Path

/** What elaboration says of an SoC's DRAM in `<CONFIG>.json`.
  *
  * @param config       name of the configuration
  * @param dramBase     first address of DRAM
  * @param dramBytes    size of DRAM
  * @param dataBytes    the part of it, from the start, that software sees
  * @param blockBytes   size of a block
  * @param protection   how it is encrypted; none if it is not
  */
case class SocDescription(
    config: String,
    dramBase: BigInt,
    dramBytes: BigInt,
    dataBytes: BigInt,
    blockBytes: Int,
    protection: Option[DramProtection]
) {
  def isProtected: Boolean = protection.isDefined
}

/** How DRAM is encrypted.
  *
  * @param counterBytes size of a block's counter in memory
  * @param stripes      the stripe of each engine, in the order of the engines' numbers
  */
case class DramProtection(mode: Mode, counterBytes: Int, stripes: Seq[StripeAddresses])

object SocDescription {
  def read(path: Path): SocDescription = parse(JsonFile.read(path, "description of an SoC"), path.toString)

  def parse(json: JsonFile, origin: String): SocDescription = {
    def again(wrong: String) = s"$origin: $wrong: elaborate the configuration again"
    val base = json.number("dramBase")
    val bytes = json.number("dramBytes")
    val block = json.int("blockBytes")
    UserError.unless(
      block >= 16 && BigInt(block).bitCount == 1 && base % block == 0 && bytes > 0 && bytes % block == 0
    )(
      again(s"$bytes bytes of DRAM from ${Hex(base)} do not consist of blocks of $block bytes")
    )
    try {
      val protection =
        if (json.flag("protected")) Some(DramProtection(mode(json), json.int("counterBytes"), stripes(json))) else None
      val soc = SocDescription(json.text("config"), base, bytes, json.number("dataBytes"), block, protection)
      // The data region follows from the stripes; a description that says otherwise is of another version of the hardware.
      val left = protection.fold(bytes)(p =>
        p.stripes.map(s => MetadataLayout(s.localBytes, block, p.counterBytes).dataBytes).sum
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

  private val modes = Seq(OneTimePad, DirectCbc())

  private def mode(json: JsonFile): Mode = {
    val name = json.text("mode")
    modes.find(_.name == name).getOrElse(
      throw new UserError(
        s"there is no reference model of the mode '$name', only of ${modes.map(_.name).mkString(", ")}"
      )
    )
  }

  private def stripes(json: JsonFile): Seq[StripeAddresses] = {
    val found = json.children("stripes").map { stripe =>
      StripeAddresses(
        stripe.number("base"),
        stripe.number("bytes"),
        stripe.numbers("selectBits").map(_.toInt),
        stripe.number("bank")
      )
    }
    val whole =
      found.forall(_.base == json.number("dramBase")) && found.map(_.localBytes).sum == json.number("dramBytes") &&
        found.map(_.bank).distinct.size == json.int("engines")
    UserError.unless(whole)(
      s"the ${found.size} stripes of ${json.text("config")} do not make up its DRAM: packages are for DRAM that is wholly protected"
    )
    found
  }
}
