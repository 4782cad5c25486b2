package hauberk.soc

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.regmapper._
import freechips.rocketchip.resources._
import freechips.rocketchip.tilelink.TLRegisterNode
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** What the loader of a program package tells the boot ROM, as pins of the SoC. */
class BootHeaderPins extends Bundle {

  /** The program's static key wrapped under the device key (RFC 3394); word 0 holds its first 8 bytes, big-endian. */
  val wrappedKey = Vec(3, UInt(64.W))

  /** Address of the program's first instruction. */
  val entry = UInt(64.W)

  /** Blocks that the package brings to each engine's stripe, from the first on. */
  val extent = UInt(64.W)
}

/** Read-only 64-bit registers through which the boot ROM learns what it is to start.
  *
  * 0x00, 0x08, 0x10 wrapped key words; 0x18 entry point; 0x20 number of harts; 0x28 address of the memory protector's
  * control registers, 0 if the SoC has none; 0x30 blocks of the package in each engine's stripe; 0x38 address of the registers of
  * instruction decryption, or 0. The pins are expected to be steady; reading has no effect.
  *
  * @param base          address of the first register; the device takes 4 KiB
  * @param harts         number of harts in the SoC
  * @param protectorBase address of the protector's control registers, if there is one
  * @param decryptionBase address of the registers of instruction decryption, if there is any
  * @param beatBytes     width in bytes of the bus it sits on
  */
class BootHeader(
    base: BigInt,
    harts: Int,
    protectorBase: Option[BigInt],
    decryptionBase: Option[BigInt],
    beatBytes: Int
)(implicit p: Parameters)
    extends LazyModule {
  val device = new SimpleDevice("boot-header", Seq("hauberk,boot-header"))
  val node = TLRegisterNode(Seq(AddressSet(base, 0xfff)), device, "reg", beatBytes = beatBytes)

  lazy val module = new Impl

  /** Read-only words of 64 bits: wrapped key, entry, number of harts, base of the protector, extent, base of decryption. */
  class Impl extends LazyModuleImp(this) {
    val pins = IO(Input(new BootHeaderPins))

    private val words = pins.wrappedKey ++
      Seq(pins.entry, harts.U(64.W), address(protectorBase), pins.extent, address(decryptionBase))
    private def address(base: Option[BigInt]) = base.getOrElse(BigInt(0)).U(64.W)
    node.regmap(words.zipWithIndex.map { case (word, index) => 8 * index -> Seq(RegField.r(64, word)) }: _*)
  }
}
