package hauberk.tilelink.contexts

import hauberk.tilelink.common.{BitField, Register, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of [[TLPageClearer]]: the only place that knows offsets and bits. */
object ClearerMap {
  val busy: BitField = BitField("BUSY", 0, 1, "a page is being cleared")
  val refused: BitField =
    BitField("REFUSED", 1, 1, "the last page was not taken: it came while BUSY, or is no page of memory")
  val cleared: BitField =
    BitField(
      "CLEARED",
      16,
      16,
      "pages cleared since reset, modulo 65536; one of which memory refused a line does not count"
    )

  val slowly: BitField = BitField("SLOWLY", 0, 1, "one line at a time, for the sake of the hasher")
  val number: BitField = BitField("NUMBER", 12, 52, "of a page of memory")

  val id: Register = RegisterMap.id("Hauberk7")
  val status: Register = Register("STATUS", 0x08, RO, "state", Seq(busy, refused, cleared))
  val page: Register = Register("PAGE", 0x10, WO, "clears a page", Seq(slowly, number))

  val all: RegisterMap = RegisterMap("CLEARER", 0x10071000, Seq(id, status, page))
}
