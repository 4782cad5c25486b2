package hauberk.soc

import hauberk.tilelink.common.{Register, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of the boot header. */
object BootHeaderMap {
  val wrappedKey: Seq[Register] = RegisterMap.wrappedKey(0x00, RO, "the image's wrapped key")
  val entry: Register = Register("ENTRY", 0x18, RO, "address of the program's first instruction")
  val harts: Register = Register("HARTS", 0x20, RO, "number of harts")
  val protector: Register = Register("PROTECTOR", 0x28, RO, "address of the protector's registers, 0 if there is none")
  val imageBlocks: Register = Register("IMAGE_BLOCKS", 0x30, RO, "blocks of the encrypted image in each engine's bank")
  val decryption: Register =
    Register("DECRYPTION", 0x38, RO, "address of the registers of instruction decryption, 0 if there is none")
  val cache: Register =
    Register("CACHE", 0x40, RO, "address of the last-level cache's registers, 0 if there is none")

  val all: RegisterMap =
    RegisterMap("HEADER", 0x10020000, wrappedKey ++ Seq(entry, harts, protector, imageBlocks, decryption, cache))
}
