package hauberk.soc

import chisel3._
import freechips.rocketchip.diplomacy.AddressSet
import freechips.rocketchip.resources._
import freechips.rocketchip.tilelink.TLRegisterNode
import hauberk.tilelink.common.QuietRegisters
import org.chipsalliance.cde.config.Parameters
import org.chipsalliance.diplomacy.lazymodule._

/** Information for the boot ROM from the loader of an encrypted image, as pins of the SoC. */
class BootHeaderPins extends Bundle {

  /** The program's static key wrapped under the device key (RFC 3394); word 0 holds its first 8 bytes, big-endian. */
  val wrappedKey = Vec(3, UInt(64.W))

  /** Address of the program's first instruction. */
  val entry = UInt(64.W)

  /** Blocks that the package brings to each engine's bank, from the first on. */
  val imageBlocks = UInt(64.W)
}

/** Read-only registers that tell the boot ROM which program to start, laid out by [[BootHeaderMap]]. The pins are expected to be
  * steady; reading has no effect.
  *
  * @param base          address of the first register; the device takes 4 KiB
  * @param harts         number of harts in the SoC
  * @param protectorBase address of the protector's control registers, if there is one
  * @param decryptionBase address of the registers of instruction decryption, if there is any
  * @param cacheBase     address of the registers of the last-level cache, if there is one
  * @param beatBytes     width in bytes of the bus it sits on
  */
class BootHeader(
    base: BigInt,
    harts: Int,
    protectorBase: Option[BigInt],
    decryptionBase: Option[BigInt],
    cacheBase: Option[BigInt],
    beatBytes: Int
)(implicit p: Parameters)
    extends LazyModule with QuietRegisters {
  val device = new SimpleDevice("boot-header", Seq("hauberk,boot-header"))
  val node = TLRegisterNode(Seq(AddressSet(base, 0xfff)), device, "reg", beatBytes = beatBytes)

  lazy val module = new Impl

  /** The registers: some show pins, the others parameters of the SoC. */
  class Impl extends LazyModuleImp(this) {
    val pins = IO(Input(new BootHeaderPins))

    private val key = BootHeaderMap.wrappedKey.zip(pins.wrappedKey).map { case (register, word) => register.read(word) }
    private val rest = Seq(
      BootHeaderMap.entry.read(pins.entry),
      BootHeaderMap.harts.read(harts.U),
      BootHeaderMap.protector.read(address(protectorBase)),
      BootHeaderMap.imageBlocks.read(pins.imageBlocks),
      BootHeaderMap.decryption.read(address(decryptionBase)),
      BootHeaderMap.cache.read(address(cacheBase))
    )
    private def address(base: Option[BigInt]) = base.getOrElse(BigInt(0)).U(64.W)
    node.regmap(key ++ rest: _*)
  }
}
