package hauberk.soc

import hauberk.tilelink.common.{BitField, Register, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of [[TestDma]]. */
object TestDmaMap {
  val busy: BitField = BitField("BUSY", 0, 1, "a copy is under way")
  val deniedRead: BitField = BitField("DENIED_READ", 1, 1, "the last copy ended at a read that was denied")
  val deniedWrite: BitField = BitField("DENIED_WRITE", 2, 1, "the last copy ended at a write that was denied")

  val id: Register = RegisterMap.id("Hauberk8")
  val status: Register = Register("STATUS", 0x08, RO, "state", Seq(busy, deniedRead, deniedWrite))
  val source: Register = Register("SOURCE", 0x10, RW, "address to copy from, a multiple of 8")
  val destination: Register = Register("DESTINATION", 0x18, RW, "address to copy to, a multiple of 8")
  val go: Register = Register("GO", 0x20, WO, "copies so many bytes, a multiple of 8; ignored while BUSY")

  val all: RegisterMap = RegisterMap("DMA", 0x100a0000, Seq(id, status, source, destination, go))
}
