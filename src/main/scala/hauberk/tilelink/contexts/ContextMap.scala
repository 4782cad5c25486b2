package hauberk.tilelink.contexts

import hauberk.tilelink.common.{BitField, Register, RegisterGroup, RegisterMap}
import hauberk.tilelink.common.RegisterAccess._

/** The register map of the guard of secure contexts: the only place that knows offsets and bits. */
object ContextMap {
  val contexts: BitField = BitField("CONTEXTS", 0, 8, "secure contexts; their SPIDs are 1 to this number")
  val harts: BitField = BitField("TILES", 8, 8, "tiles whose accesses are checked")
  val pageBits: BitField = BitField("PAGE_BITS", 16, 8, "pages of the table are numbered with so many bits")

  val id: Register = RegisterMap.id("Hauberk5")
  val geometry: Register = Register("GEOMETRY", 0x08, RO, "parameters of the hardware", Seq(contexts, harts, pageBits))

  val ownerSpid: BitField = BitField("SPID", 0, 8, "SPID of the context")
  val release: BitField =
    BitField("RELEASE", 8, 1, "makes a page of the context nobody's; otherwise, the context gets a page of nobody's")
  val ask: BitField = BitField("ASK", 9, 1, "changes nothing: asks whether the page is the context's")
  val refused: BitField =
    BitField(
      "REFUSED",
      10,
      1,
      "read: the last write named a page or SPID that does not exist, a page with an owner to give, or a page that is not the context's to release or ask for; nothing changed"
    )
  val busy: BitField = BitField("BUSY", 11, 1, "read: the last write has not taken effect yet")
  val ownerPage: BitField = BitField("PAGE", 12, 52, "bits 63 to 12 of the page's address")
  val owner: Register =
    Register(
      "OWNER",
      0x10,
      RW,
      "changes the owner of a page, or asks for it; reads as the last write, with its result",
      Seq(ownerSpid, release, ask, refused, busy, ownerPage)
    )
  val denied: BitField = BitField("DENIED", 0, 1, "an access was denied: DENIAL and DENIAL_ADDRESS have the first")
  val status: Register = Register("STATUS", 0x18, RO, "state", Seq(denied))

  val denialTile: BitField = BitField("TILE", 0, 8, "tile that made the access; 255: another master")
  val denialSpid: BitField = BitField("SPID", 8, 8, "SPID for which it was made")
  val denialWrite: BitField = BitField("WRITE", 16, 1, "it would have written, or asked for the right to write")
  val denial: Register =
    Register("DENIAL", 0x20, RO, "the first access that was denied", Seq(denialTile, denialSpid, denialWrite))
  val denialAddress: Register = Register("DENIAL_ADDRESS", 0x28, RO, "its address")
  val denials: Register = Register("DENIALS", 0x30, RO, "accesses denied since reset")
  val clear: Register = Register("CLEAR", 0x38, WO, "1 makes room for the next denial")

  val open: BitField =
    BitField("OPEN", 0, 1, "other masters than tiles may access memory; 1 opens it to them, until the next reset")
  val others: Register = Register("OTHERS", 0x40, RW, "what other masters may do", Seq(open))

  val hasSecret: BitField = BitField("HAS_SECRET", 0, 1, "the fuses have a secret of this processor")
  val identity: Register = Register("IDENTITY", 0x48, RO, "what tells this processor from others", Seq(hasSecret))
  val random: Register =
    Register("RANDOM", 0x50, RO, "a random word, which nobody else gets; 0 if there is none yet")
  val secret: Seq[Register] = (0 until 4).map(word =>
    Register(
      s"SECRET_$word",
      0x58 + 8 * word,
      RO,
      s"word $word of its secret, least significant first; 0 if it has none"
    )
  )

  /** Another master than a tile. */
  val otherMaster = 255

  val activeSpid: BitField = BitField("SPID", 0, 8, "SPID of what runs on it")
  val activeMicrocode: BitField = BitField("MICROCODE", 8, 1, "microcode runs on it, which may access every page")
  val activeRefused: BitField =
    BitField("REFUSED", 9, 1, "the last write named an SPID that does not exist, and changed nothing")
  val activeChanging: BitField =
    BitField("CHANGING", 10, 1, "the last write waits for requests of the tile that are under way")
  val active: Register = Register(
    "ACTIVE",
    0x00,
    RW,
    "for whom the tile makes its accesses; written, it changes when no request of the tile is under way",
    Seq(activeSpid, activeMicrocode, activeRefused, activeChanging)
  )
  val tile: RegisterGroup = RegisterGroup("TILE", 0x100, Some("tile" -> 8), "TILE", Seq(active))

  val all: RegisterMap = RegisterMap(
    "CONTEXTS",
    0x10060000,
    Seq(id, geometry, owner, status, denial, denialAddress, denials, clear, others, identity, random) ++ secret,
    Seq(tile)
  )
}
