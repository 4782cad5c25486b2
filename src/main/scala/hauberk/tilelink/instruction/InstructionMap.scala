package hauberk.tilelink.instruction

import hauberk.abi.Code
import hauberk.instruction.{DecryptionMode, EmuError}
import hauberk.tilelink.common.{BitField, Register, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of instruction decryption: the only place that knows offsets and bits. */
object InstructionMap {
  val pages: BitField = BitField("PAGES", 0, 16, "entries of the page table")
  val keySlots: BitField = BitField("KEY_SLOTS", 16, 16, "key slots; slot 0 has no key")
  val caches: BitField = BitField("CACHES", 32, 8, "instruction caches")
  val mode: BitField =
    BitField("MODE", 40, 8, "mode", DecryptionMode.all.map(mode => Code(mode.code, mode.name, "")))

  val id: Register = RegisterMap.id("Hauberk3")
  val geometry: Register =
    Register("GEOMETRY", 0x08, RO, "parameters of the hardware", Seq(pages, keySlots, caches, mode))

  val page: Register = Register("PAGE", 0x10, WO, "address of a page")
  val slot: Register = Register("SLOT", 0x18, WO, "slot of its key, 0 for none")
  val ancillaryLow: Register = Register("ANCILLARY_LOW", 0x20, WO, "its ancillary data, less significant word")
  val ancillaryHigh: Register = Register("ANCILLARY_HIGH", 0x28, WO, "its ancillary data, more significant word")
  val index: Register =
    Register("INDEX", 0x30, WO, "entry of the page table: enters the four above for all tiles at once, or not at all")

  /** The registers of the page table control unit, in the order of [[hauberk.instruction.PageRegister]]. */
  val pageTable: Seq[Register] = Seq(page, slot, ancillaryLow, ancillaryHigh, index)

  val mappingError: BitField = BitField("MAPPING_ERROR", 0, 4, "error of the last mapping", EmuError.all)
  val stale: BitField = BitField("STALE", 8, 56, "instruction caches that must be flushed, a bit each")
  val status: Register = Register("STATUS", 0x38, RO, "state of the page table", Seq(mappingError, stale))

  /** The key unit's scratchpad. */
  val scratchpad: Seq[Register] = Seq(
    Register("APPLICATION_0", 0x40, WO, "the application's secret, more significant word"),
    Register("APPLICATION_1", 0x48, WO, "the application's secret, less significant word"),
    Register("CHECK_0", 0x50, WO, "its check value, more significant word"),
    Register("CHECK_1", 0x58, WO, "its check value, less significant word"),
    Register("KEY_ID", 0x60, WO, "the key's id")
  )
  val key: Register =
    Register("KEY", 0x68, WO, "slot: asks the key unit for the key unless it is busy, and clears the five above")
  val keyBusy: BitField = BitField("BUSY", 0, 1, "the key unit is busy")
  val keyError: BitField = BitField("ERROR", 4, 4, "error of the last key, as above")
  val keyStatus: Register = Register("KEY_STATUS", 0x70, RO, "state of the key unit", Seq(keyBusy, keyError))

  val all: RegisterMap = RegisterMap(
    "DECRYPTION",
    0x10040000,
    Seq(id, geometry) ++ pageTable ++ Seq(status) ++ scratchpad ++ Seq(key, keyStatus)
  )
}
