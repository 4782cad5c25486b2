package hauberk.crypto

import chisel3._

/** A block on its way into an AES core.
  *
  * `block` and `key` are in the byte order of FIPS-197: the first byte is the most significant one. To encrypt, `key` is
  * the cipher key; to decrypt, it is the decryption start of [[KeySchedule]], which [[KeyTable]] makes in hardware.
  * `decrypt` counts only for a core of direction Both.
  */
class AesRequest(val keyBits: Int, val tagBits: Int) extends Bundle {
  val block = UInt(128.W)
  val key = UInt(keyBits.W)
  val decrypt = Bool()
  val tag = UInt(tagBits.W)
}

/** A block that comes out of an AES core, with the tag it went in with. */
class AesResponse(val tagBits: Int) extends Bundle {
  val block = UInt(128.W)
  val tag = UInt(tagBits.W)
}
